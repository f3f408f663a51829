import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import type { OutcomeCount } from './count-outcomes';
import type { Slice } from './report-input';
import type { ReportScope } from './report-rows';

/**
 * How many verdicts of one verifier passed and failed in a slice, with truth or without: what its labels are to speak for. By model from the rollups
 * where they tell it apart, else from the verdicts. `from` is the first moment of a day, and there is no end.
 */
export async function countSlice(ctx: ProjectCtx, scope: ReportScope, slice: Slice): Promise<OutcomeCount> {
  const { sql, projectId } = ctx;
  const { slug, version, self } = readVerifierName(scope.verifier);
  const { judge, from } = scope;
  const [ofSelf] = await sql`
    select from verdicts where project_id = ${projectId} and verifier_slug = ${slug} and cross_model = 'self' and kind = ${slug} limit 1`;
  const told = slice.by === 'model' && version === null && judge === undefined && ofSelf === undefined && !self;
  const [row] = told
    ? await sql<OutcomeRow[]>`
        select sum(passed) as passed, sum(failed) as failed from verdict_rollups
        where project_id = ${projectId} and verifier_slug = ${slug} and model = ${slice.value}
          ${from === undefined ? sql`` : sql`and day >= (${from.toISOString()}::timestamptz at time zone 'UTC')::date`}`
    : await sql<OutcomeRow[]>`
        select count(*) filter (where outcome = 'passed') as passed, count(*) filter (where outcome = 'failed') as failed from verdicts v
        where project_id = ${projectId} and verifier_slug = ${slug} and outcome in ('passed', 'failed') and ${sliceOf(ctx, slice)}
          and (cross_model is not distinct from 'self') = ${self}
          ${version === null ? sql`` : sql`and verifier_version = ${version}`}
          ${judge === undefined ? sql`` : sql`and judge_model = ${judge}`}
          ${from === undefined ? sql`` : sql`and settled_at >= ${from.toISOString()}::timestamptz`}`;
  const [passes, failed] = [Number(row?.passed ?? 0), Number(row?.failed ?? 0)];
  return { passes, decided: passes + failed };
}

interface OutcomeRow {
  passed: string | null;
  failed: string | null;
}

/** As a condition on `v`, a row of `verdicts`; in the words of `judgementsOf`, which gives the labelled rows their fields. */
export function sliceOf({ sql }: ProjectCtx, { by, value }: Slice): Fragment {
  switch (by) {
    case 'model':
      return sql`coalesce(v.model, '') = ${value}`;
    case 'judge':
      return sql`coalesce(v.judge_model, '') = ${value}`;
    case 'mission':
      return sql`v.mission_id = ${value}`;
    case 'tier':
      return sql`(v.kind = 'code' and v.detail ->> 'tier' = ${value})`;
    case 'complexity':
      return sql`(v.kind in ('decomposition', 'agent-output', 'synthesis') and v.detail ->> 'complexity' = ${value})`;
  }
}
