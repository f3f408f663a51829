import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import type { Outcome, SubjectTarget } from '../domain';
import { loadTurns, loadTurnsWithin, type TurnOrigin, turnKey } from '../ingest';
import type { RuleSubject } from './match';
import { readConversation } from './read-conversation';
import { storedSubject } from './stored-subject';

/** A stored subject, as the input of a rule's decision. */
export interface Candidate {
  readonly subject: RuleSubject;
  /** Outcomes of its verdicts, by verifier. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

export interface WantedCandidates {
  readonly target: SubjectTarget;
  /** Range of the receiving time: `from` inclusive, `to` exclusive. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly limit: number;
}

interface Row {
  id: string;
  origin: TurnOrigin;
  outcomes: Record<string, Outcome>;
}

/** Maximum number of turns in memory at once, since turns are large. */
const partSize = 50;

/**
 * Yields stored subjects of a target in batches, newest first.
 * @throws on storage faults
 */
export async function* listCandidates(
  ctx: ProjectCtx,
  wanted: WantedCandidates,
): AsyncGenerator<readonly Candidate[]> {
  const rows = await ctx.sql<Row[]>`
    select c.id, c.origin, coalesce((
      select jsonb_object_agg(v.verifier_slug, v.outcome order by v.settled_at) from verdicts v
      where v.project_id = ${ctx.projectId} and v.subject_id = c.id
        and not v.superseded and v.experiment_id is null), '{}') as outcomes
    from (${newest(ctx, wanted)} limit ${wanted.limit}) as c`;
  for (let at = 0; at < rows.length; at += partSize) {
    const part = rows.slice(at, at + partSize);
    const subjects = await readPart(ctx, wanted.target, part);
    yield part.flatMap(({ id, outcomes }) => {
      const subject = subjects.get(id);
      return subject === undefined
        ? []
        : [{ subject, outcomes: new Map(Object.entries(outcomes)) }];
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Ids of the newest stored subjects of a target. */
export async function listCandidateIds(
  ctx: ProjectCtx,
  wanted: WantedCandidates,
): Promise<string[]> {
  const rows = await ctx.sql<{ id: string }[]>`${newest(ctx, wanted)} limit ${wanted.limit}`;
  return rows.map(({ id }) => id);
}

/** `id` and `origin` of subjects, newest first. */
function newest({ sql, projectId }: ProjectCtx, { target, from, to }: WantedCandidates): Fragment {
  const within = (at: Fragment): Fragment => sql`
    ${from === undefined ? sql`` : sql`and ${at} >= ${from.toISOString()}::timestamptz`}
    ${to === undefined ? sql`` : sql`and ${at} < ${to.toISOString()}::timestamptz`}`;
  if (target === 'turn')
    return sql`
      select id, origin from turns where project_id = ${projectId} and not superseded and origin <> 'experiment'
        ${within(sql`received_at`)} order by received_at desc, id desc`;
  if (target === 'trace')
    return sql`
      select id, 'otlp' as origin from traces where project_id = ${projectId} and revision > 0
        ${within(sql`received_at`)} order by received_at desc, id desc`;
  if (target === 'session')
    return sql`
      select id, 'api' as origin from sessions where project_id = ${projectId}
        ${within(sql`received_at`)} order by received_at desc, id desc`;
  return sql`
    select mission_id as id, 'api' as origin from subjects
    where project_id = ${projectId} and mission_id is not null ${within(sql`created_at`)}
    group by mission_id order by max(created_at) desc, mission_id desc`;
}

async function readPart(
  ctx: ProjectCtx,
  target: SubjectTarget,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, RuleSubject>> {
  const { sql, projectId } = ctx;
  const found = new Map<string, RuleSubject>();
  if (target === 'turn') {
    const turns = await loadTurns(
      ctx,
      rows.map(({ id }) => ({ projectId, subjectId: id })),
    );
    for (const { id, origin } of rows) {
      const turn = turns.get(turnKey(projectId, id))?.();
      if (turn !== undefined) found.set(id, storedSubject(turn, origin));
    }
    return found;
  }
  for (const { id } of rows) {
    const subject =
      target === 'trace'
        ? await readTrace(ctx, id)
        : ((await readConversation(sql, projectId, target, id))?.subject ?? null);
    if (subject !== null) found.set(id, subject);
  }
  return found;
}

async function readTrace(ctx: ProjectCtx, id: string): Promise<RuleSubject | null> {
  const { sql, projectId } = ctx;
  const [row] = await sql<
    { service: string | null; session_id: string | null; models: string[] | null; tags: string[] }[]
  >`
    select service, session_id, to_jsonb(models) as models, coalesce(to_jsonb(tags), '[]') as tags
    from traces where project_id = ${projectId} and id = ${id}`;
  const turns = await loadTurnsWithin(ctx, { projectId, within: 'trace', id });
  const last = turns.at(-1);
  if (row === undefined || last === undefined) return null;
  const ownTurn = storedSubject(last, 'otlp');
  return {
    ...ownTurn,
    id,
    sessionId: row.session_id,
    traceId: id,
    source: row.service,
    models: row.models ?? [],
    tags: row.tags,
    hasSources: turns.some(({ content }) => content.tools.length + content.context.length > 0),
  };
}
