import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import { type OutcomeCount, splitPeriod } from './count-outcomes';
import { readPassWeights } from '../verdicts';
import { seriesColumn } from './labelled-verdicts-of';
import { ofVersion, populations, sliceOf } from './populations';
import type { Slice } from './report-input';
import type { ReportScope } from './report-rows';

/**
 * How many verdicts of one verifier passed and failed in a slice, with or without truth: the
 * population of its labels. Counts a mission from its verdicts, and anything else from the counters
 * written on settling, except for a partial first day. The period has no end.
 */
export async function countSlice(
  ctx: ProjectCtx,
  scope: ReportScope,
  slice: Slice,
): Promise<OutcomeCount> {
  const { sql, projectId } = ctx;
  const name = readVerifierName(scope.verifier);
  const { slug, version, self } = name;
  const { judge, from } = scope;
  const verdicts = ({ from: since, to }: Pick<ReportScope, 'from' | 'to'>) => sql`
    select (outcome = 'passed')::int as passed, (outcome = 'failed')::int as failed from verdicts v
    where project_id = ${projectId} and verifier_slug = ${slug} and outcome in ('passed', 'failed') and not superseded and experiment_id is null
      and ${sliceOf(ctx, slice)}
      and (cross_model is not distinct from 'self') = ${self}
      ${version === null ? sql`` : sql`and verifier_version = ${version}`}
      ${judge === undefined ? sql`` : sql`and judge_model = ${judge}`}
      ${since === undefined ? sql`` : sql`and settled_at >= ${since.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and settled_at < ${to.toISOString()}::timestamptz`}`;
  const { days, edges } =
    slice.by === 'mission' ? { days: null, edges: [{ from }] } : splitPeriod({ from });
  const whole =
    days === null
      ? []
      : [
          sql`
            select passed, failed from (${populations(ctx, days, { slug, version, judge, slice })}) as counted
            where series = ${seriesOf({ slug, self })}`,
        ];
  const all = [...whole, ...edges.map(verdicts)].reduce(
    (before, part) => sql`${before} union all ${part}`,
  );
  const [row] = await sql<
    OutcomeRow[]
  >`select sum(passed) as passed, sum(failed) as failed from (${all}) as parts`;
  const [passes, failed] = [Number(row?.passed ?? 0), Number(row?.failed ?? 0)];
  return { passes, decided: passes + failed };
}

/** The weight of one verdict in the interval of the pass rate. */
export async function readScopePassWeights(
  ctx: ProjectCtx,
  { verifier, judge, from }: ReportScope,
  slice: Slice,
): Promise<number | undefined> {
  const { sql } = ctx;
  const name = readVerifierName(verifier);
  const found = await readPassWeights(ctx, {
    slugs: [name.slug],
    by: seriesColumn(ctx),
    from,
    only: sql`${ofVersion(ctx, name.version, judge)} and ${sliceOf(ctx, slice)}`,
  });
  return found.get(seriesOf(name));
}

interface OutcomeRow {
  passed: string | null;
  failed: string | null;
}
