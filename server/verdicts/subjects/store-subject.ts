import type { ProjectCtx } from '../../access';
import { pipelineQuery } from '../../domain';
import { insertPipelines, insertSessions, registerModelNames } from '../../ingest';
import { conflict, deletedMessage, isDeleted, userKey } from '../../platform';
import { insertWork } from '../../queue';
import type { PipelineFacts } from '../../verifiers';

/** A caller's work to judge, other than a turn. */
export interface NewSubject {
  readonly kind: string;
  readonly id: string;
  /** The caller's own id, or null. The same id always means the same subject (X-10). */
  readonly clientId: string | null;
  /** The work to judge, as JSON text that PostgreSQL accepts. */
  readonly content: string;
  /**
   * The hash of everything that decides the verdict: a client id that was used with another hash is
   * refused.
   */
  readonly contentHash: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  /** The turn that the subject becomes; omitted for any other subject. */
  readonly turnId?: string;
  /** The model that did the work. */
  readonly model: string | null;
  /** The cost of the work. */
  readonly costUsd: number | null;
  /** The pipeline that a checkpoint belongs to; null for other kinds. */
  readonly pipeline: PipelineFacts | null;
  /**
   * In a simulated project, when it was received (`simulatedTime`); otherwise null, which means
   * now.
   */
  readonly receivedAt?: Date | null;
  /** The end user that its metadata names. */
  readonly userId?: string | null;
}

export interface SubjectVerification {
  readonly verdictId: string;
  readonly verifier: string;
  /** The process that verifies it immediately under fence 1; null if any worker may verify it. */
  readonly owner: string | null;
  /** A caller waits for the verdict of a worker. */
  readonly urgent?: boolean;
}

export interface StoredAt {
  readonly verdictId: string;
  /**
   * When it was received; null if the subject already existed: `verdictId` is then its existing
   * verdict, settled or pending.
   */
  readonly fresh: { readonly createdAt: Date } | null;
}

/**
 * Stores a subject, its pending work, the `started` event of its mission and, for a checkpoint, the
 * known facts of its pipeline, in one statement. @throws AssayError conflict (the client id was
 * used with another body)
 */
export async function storeSubject(
  ctx: ProjectCtx,
  subject: NewSubject,
  verification: SubjectVerification,
): Promise<StoredAt> {
  const { sql, projectId } = ctx;
  const { pipeline } = subject;
  const at = sql`coalesce(${subject.receivedAt?.toISOString() ?? null}::timestamptz, now())`;
  const user = subject.userId == null ? null : userKey(subject.userId);
  const gone = isDeleted(
    ctx,
    sql`${projectId}`,
    sql`('subject', ${subject.id}), ('turn', ${subject.turnId ?? null}::text), ('trace', ${subject.traceId}::text), ('session', ${subject.sessionId}::text), ('user', ${user}::text)`,
  );
  await registerModelNames(ctx, [{ projectId, name: subject.model }]);
  const [stored] = await sql<{ created_at: string }[]>`
    with fresh as (
      insert into subjects (
        project_id, kind, id, content, content_hash, client_id, mission_id, task_id, session_id, trace_id, turn_id, model, cost_usd, created_at)
      select
        ${projectId}, ${subject.kind}, ${subject.id}, ${subject.content}, ${subject.contentHash}, ${subject.clientId},
        ${subject.missionId}, ${subject.taskId}, ${subject.sessionId}, ${subject.traceId}, ${subject.turnId ?? null},
        ${subject.model}, ${subject.costUsd}, ${at}
      where not ${gone}
      on conflict do nothing
      returning id
    ), pending as (${insertWork(
      sql,
      sql`
      select ${projectId}, ${verification.verdictId}, ${subject.kind}, id, 1, ${verification.verifier}, null,
        ${verification.owner}::text, ${verification.owner === null ? 0 : 1}::int, ${verification.owner === null ? 0 : 1}::int,
        now() + case when ${verification.owner}::text is null then interval '0' else ${ctx.env.leaseMs} * interval '1 millisecond' end,
        null::jsonb, null, 'fast'
      from fresh`,
      { urgent: verification.urgent === true },
    )}
    ), heard as (${insertSessions(
      sql,
      sql`select ${projectId}, ${subject.sessionId}, ${at} from fresh
        where ${subject.sessionId}::text is not null`,
    )}
    ), passed as (${insertPipelines(
      ctx,
      sql`
      select ${projectId}, coalesce(${subject.traceId}, ${subject.sessionId}),
        ${pipelineQuery(pipeline?.query ?? null)}, ${pipeline?.complexity ?? null},
        ${subject.traceId}, ${subject.sessionId}, 'checkpoints', ${at}, ${at}
      from fresh
      where ${pipeline !== null} and coalesce(${subject.traceId}, ${subject.sessionId}) is not null`,
    )}
    ), mission_events_stored as (
      insert into mission_events (project_id, mission_id, id, task_id, event, verdict_id, created_at)
      select ${projectId}, ${subject.missionId}, id || ':started', ${subject.taskId}, 'started', id, ${at}
      from pending where ${subject.missionId}::text is not null
    )
    select id, created_at, case when ${verification.owner}::text is null then pg_notify('assay_work', '')::text end as woken from pending`;
  if (stored !== undefined)
    return { verdictId: verification.verdictId, fresh: { createdAt: new Date(stored.created_at) } };
  const known = await findKnown(ctx, subject, verification.verifier);
  if (known === null) {
    const [row] = await sql<{ gone: boolean }[]>`select ${gone} as gone`;
    if (row?.gone === true) throw conflict(deletedMessage);
  }
  if (known === null)
    throw conflict(`id: was used before with another body: "${subject.clientId ?? subject.id}"`);
  return { verdictId: known, fresh: null };
}

/**
 * The verdict, settled or pending, of the stored subject with the same id and content; null if
 * there is none.
 */
async function findKnown(
  ctx: ProjectCtx,
  subject: NewSubject,
  verifier: string,
): Promise<string | null> {
  const [row] = await ctx.sql<{ verdict_id: string | null }[]>`
    select coalesce(
      (select w.id from work w where w.project_id = s.project_id and w.subject_kind = s.kind and w.subject_id = s.id
        and w.verifier = ${verifier} limit 1),
      (select v.id from verdicts v where v.project_id = s.project_id and v.subject_kind = s.kind and v.subject_id = s.id
        and v.verifier_slug = ${verifier} order by v.revision desc, v.verifier_version desc limit 1)) as verdict_id
    from subjects s where s.project_id = ${ctx.projectId} and s.kind = ${subject.kind} and s.content_hash = ${subject.contentHash}
      and (s.id = ${subject.id} or s.client_id = ${subject.clientId})`;
  return row?.verdict_id ?? null;
}
