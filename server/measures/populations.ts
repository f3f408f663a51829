import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { isModel } from '../ingest';
import { populationPart } from '../verdicts';
import type { Slice } from './report-input';

/** UTC days as dates: `from` inclusive, `to` exclusive. */
export interface DaySpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Filters; omitted means all. */
export interface PopulationWanted {
  readonly slug: string | null;
  readonly version: number | null;
  readonly judge?: string | undefined;
  /** Any field except the mission, which has no stored counts. */
  readonly slice?: Slice | undefined;
}

/**
 * Counts of verdicts that passed and failed on whole days, as a relation of `series`, `passed` and
 * `failed` with several rows per series. Reads the counters written on settling
 * (`verdict_populations`). For days on which a verifier's counts are incomplete, before the release
 * that introduced them, it reads the verdicts.
 */
export function populations(ctx: ProjectCtx, days: DaySpan, wanted: PopulationWanted): Fragment {
  const { sql, projectId } = ctx;
  const { slug, version, judge, slice } = wanted;
  const within = sql`project_id = ${projectId} ${slug === null ? sql`` : sql`and verifier_slug = ${slug}`}
    ${days.from === undefined ? sql`` : sql`and day >= ${days.from}::date`} ${days.to === undefined ? sql`` : sql`and day < ${days.to}::date`}`;
  return sql`
    select * from (
      with days as materialized (
        select verifier_slug, day, sum(passed) = 0 and sum(failed) = 0 as whole from (
          select verifier_slug, day, passed, failed from verdict_rollups where ${within}
          union all
          select verifier_slug, day, -passed, -failed from verdict_populations where ${within}
        ) as each group by verifier_slug, day
      )
      select ${seriesOfSelf({ sql }, sql`p.self`)} as series, p.passed, p.failed
      from days t join verdict_populations p on p.project_id = ${projectId} and p.verifier_slug = t.verifier_slug and p.day = t.day
      where t.whole
        ${version === null ? sql`` : sql`and p.version = ${version}`}
        ${judge === undefined ? sql`` : sql`and p.judge = ${judge}`}
        ${slice === undefined ? sql`` : sql`and ${ofSlice(ctx, slice)}`}
      union all
      select ${seriesOfSelf({ sql }, sql`p.cross_model is not distinct from 'self'`)}, (p.outcome = 'passed')::int, (p.outcome = 'failed')::int
      from days t cross join lateral (
        select * from verdicts v where project_id = ${projectId} and verifier_slug = t.verifier_slug and outcome in ('passed', 'failed') and not superseded and experiment_id is null
          and settled_at >= t.day::timestamp at time zone 'UTC' and settled_at < (t.day + 1)::timestamp at time zone 'UTC'
          ${version === null ? sql`` : sql`and verifier_version = ${version}`}
          ${judge === undefined ? sql`` : sql`and judge_model = ${judge}`}
          ${slice === undefined ? sql`` : sql`and ${sliceOf(ctx, slice)}`}
        offset 0
      ) as p
      where not t.whole
    ) as population`;
}

const seriesOfSelf = ({ sql }: Pick<ProjectCtx, 'sql'>, self: Fragment): Fragment =>
  sql`p.verifier_slug || case when ${self} then ':self' else '' end`;

/** A condition on `p`, a row of `verdict_populations`. */
function ofSlice(ctx: ProjectCtx, { by, value }: Slice): Fragment {
  const { sql } = ctx;
  switch (by) {
    case 'model':
      return isModel(ctx, sql`p.model`, value);
    case 'judge':
      return sql`p.judge = ${value}`;
    case 'tier':
      return sql`p.part = ${populationPart.tier(value)}`;
    case 'complexity':
      return sql`p.part = ${populationPart.complexity(value)}`;
    case 'mission':
      throw new TypeError('verdicts of missions are not counted beforehand');
  }
}

/** Further conditions on `v`, a row of `verdicts`, to append to others. */
export function ofVersion(
  { sql }: Pick<ProjectCtx, 'sql'>,
  version: number | null,
  judge: string | undefined,
): Fragment {
  return sql`
    ${version === null ? sql`` : sql`and v.verifier_version = ${version}`}
    ${judge === undefined ? sql`` : sql`and v.judge_model = ${judge}`}`;
}

/**
 * A condition on `v`, a row of `verdicts`. Uses the same terms as `labelledVerdictsOf`, which sets
 * these fields of labelled rows.
 */
export function sliceOf(ctx: ProjectCtx, { by, value }: Slice): Fragment {
  const { sql } = ctx;
  switch (by) {
    case 'model':
      return isModel(ctx, sql`coalesce(v.model, '')`, value);
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
