import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { notFound } from '../platform';

export interface Backlog {
  readonly waiting: number;
  /** Count of all; `quarantined` lists only the latest 200. */
  readonly quarantinedCount: number;
  readonly quarantined: readonly {
    readonly subjectId: string;
    readonly verifier: string;
    readonly reason: string;
    readonly attempts: number;
    readonly since: Date;
  }[];
}

/** Unfinished work of the project: received = settled + skipped + waiting + quarantined. */
export async function getBacklog(ctx: ProjectCtx): Promise<Backlog> {
  const [count] = await ctx.sql<{ waiting: number; quarantined: number }[]>`
    select (select count(*)::int from work where project_id = ${ctx.projectId} and state in ('waiting', 'held')) as waiting,
      (select count(*)::int from work where project_id = ${ctx.projectId} and state = 'quarantined') as quarantined`;
  const rows = await ctx.sql<
    {
      subject_id: string;
      verifier: string;
      reason: string | null;
      attempts: number;
      created_at: string;
    }[]
  >`
    select subject_id, verifier, reason, attempts, created_at from work
    where project_id = ${ctx.projectId} and state = 'quarantined' order by created_at desc limit 200`;
  return {
    waiting: count?.waiting ?? 0,
    quarantinedCount: count?.quarantined ?? 0,
    quarantined: rows.map((row) => ({
      subjectId: row.subject_id,
      verifier: row.verifier,
      reason: row.reason ?? '',
      attempts: row.attempts,
      since: new Date(row.created_at),
    })),
  };
}

/**
 * Resets quarantined work so that it is retried.
 * @throws AssayError not_found
 */
export async function replayWork(
  ctx: ProjectCtx,
  input: { readonly subjectId: string; readonly verifier: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { work } = schema;
    const rows = await tx
      .update(work)
      .set({ state: 'waiting', owner: null, attempts: 0, deaths: 0, nextRunAt: sql`now()` })
      .where(
        and(
          eq(work.projectId, ctx.projectId),
          eq(work.subjectId, input.subjectId),
          eq(work.verifier, input.verifier),
          eq(work.state, 'quarantined'),
        ),
      )
      .returning({ id: work.id });
    if (rows.length === 0) throw notFound('quarantined work');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'work.replay',
      target: input.subjectId,
      detail: { verifier: input.verifier },
    });
  });
  await ctx.sql`select pg_notify('assay_work', '')`;
}
