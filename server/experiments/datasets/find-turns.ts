import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { isModel } from '../../ingest';
import { findVerdictTurns, hasLabel } from '../../verdicts';
import type { TurnsFilter, TurnsSource } from './dataset-input';

/** The ids of the turns that a request names; those that it describes are newest first. */
export async function findSourceTurns(
  ctx: ProjectCtx,
  { turns, filter, review, verdicts, limit, reference }: TurnsSource,
): Promise<readonly string[]> {
  if (turns !== undefined) return turns;
  if (verdicts !== undefined)
    return findVerdictTurns(ctx, verdicts, { limit, labelledOnly: reference === 'human' });
  const labelled = reference === 'human' ? hasLabel(ctx, ctx.sql`t.id`) : ctx.sql`true`;
  const rows =
    review === undefined
      ? await findFiltered(ctx, filter ?? {}, labelled, limit)
      : await findReviewed(ctx, review, limit);
  return rows.map(({ id }) => id);
}

interface IdRow {
  id: string;
}

/** Outputs of experiments are not sources. */
function findFiltered(
  ctx: ProjectCtx,
  filter: TurnsFilter,
  labelled: Fragment,
  limit: number,
): Promise<IdRow[]> {
  const { sql, projectId } = ctx;
  const { session_id: session, trace_id: trace, model, source, from, to } = filter;
  return sql<IdRow[]>`
    select t.id from turns t
    where t.project_id = ${projectId} and not t.superseded and t.origin <> 'experiment' and ${labelled}
      ${session === undefined ? sql`` : sql`and t.session_id = ${session}`}
      ${trace === undefined ? sql`` : sql`and t.trace_id = ${trace}`}
      ${model === undefined ? sql`` : sql`and ${isModel(ctx, sql`t.model`, model)}`}
      ${source === undefined ? sql`` : sql`and t.source = ${source}`}
      ${from === undefined ? sql`` : sql`and t.received_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and t.received_at < ${to.toISOString()}::timestamptz`}
      ${isJudged(ctx, filter)}
    order by t.received_at desc, t.id desc limit ${limit}`;
}

/** Whether a verdict on the turn `t` has the verifier and one of the outcomes. */
function isJudged({ sql, projectId }: ProjectCtx, { verifier, outcome }: TurnsFilter): Fragment {
  if (verifier === undefined && outcome === undefined) return sql``;
  const outcomes = outcome === undefined ? null : JSON.stringify([outcome].flat());
  const name = verifier === undefined ? null : readVerifierName(verifier);
  return sql`and exists (
    select from verdicts v where v.project_id = ${projectId} and v.subject_id = t.id
      and not v.superseded and v.experiment_id is null
      ${name === null ? sql`` : sql`and v.verifier_slug = ${name.slug}`}
      ${name?.version == null ? sql`` : sql`and v.verifier_version = ${name.version}`}
      ${outcomes === null ? sql`` : sql`and v.outcome in (select jsonb_array_elements_text(${outcomes}::text::jsonb))`})`;
}

/** Turns of review items with a ruling that was not undone; an abstention is not a ruling. */
function findReviewed(
  { sql, projectId }: ProjectCtx,
  verifier: string,
  limit: number,
): Promise<IdRow[]> {
  return sql<IdRow[]>`
    select t.id from (
      select r.subject_id, max(coalesce(r.done_at, r.drawn_at)) as at from review_items r
      where r.project_id = ${projectId} and r.verifier_slug = ${verifier} and exists (
        select from labels l where l.project_id = ${projectId} and l.verdict_id = r.verdict_id and l.kind = 'override'
          and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id))
      group by 1
    ) as r join turns t on t.project_id = ${projectId} and t.id = r.subject_id
      and t.origin <> 'experiment'
    order by r.at desc, t.id desc limit ${limit}`;
}
