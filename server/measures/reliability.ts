import type { ProjectCtx } from '../access';
import { brier, clusteredVariance, ece, estimated, type Forecast } from '../stats';
import { measureShare } from './rates';
import type { Reliability } from './report';
import { resampled } from './report-resampled';
import { type ReportScope, reportRows } from './report-rows';

/** Labelled items with the same stated probability of being right. */
export interface ConfidenceGroup {
  readonly of: Reliability['of'];
  readonly p: number;
  readonly right: number;
  readonly wrong: number;
}

const bins = 10;

/**
 * Confidences of verdicts that decided, each with a flag for a correct verdict; and scores of 0 to
 * 1, interpreted as the probability that the item is good. Rounded to 3 decimals, since judges are
 * no more precise.
 */
export async function readConfidences(
  ctx: ProjectCtx,
  scope: ReportScope,
): Promise<readonly ConfidenceGroup[]> {
  return ctx.sql<ConfidenceGroup[]>`
    with reported as materialized (
      select machine, good, score, confidence from (${reportRows(ctx, scope)}) as rows where good is not null
    )
    select 'confidence' as of, p, (count(*) filter (where hit))::int as right, (count(*) filter (where not hit))::int as wrong
    from (
      select round(confidence::numeric, 3)::double precision as p, (machine = 'passed') = good as hit from reported
      where confidence between 0 and 1 and machine is not null
    ) as said group by p
    union all
    select 'score', p, (count(*) filter (where good))::int, (count(*) filter (where not good))::int
    from (
      select round(score::numeric, 3)::double precision as p, good from reported
      where score is not null and not exists (select from reported r where r.score not between 0 and 1)
    ) as scored group by p
    order by 1, 2`;
}

/** Uses the confidences if there are any, else the scores; null if there are neither. Pure. */
export function reliabilityOf(
  groups: readonly ConfidenceGroup[],
  seed: number,
): Reliability | null {
  const of = groups.some((group) => group.of === 'confidence') ? 'confidence' : 'score';
  const items = groups.filter((group) => group.of === of).flatMap(forecastsOf);
  const measured = ece(items, { bins });
  const score = brier(items);
  if (measured === null || score === null) return null;
  const n = items.length;
  const variance = clusteredVariance(items.map(({ p, y }) => [(p - y) ** 2]));
  const interval = variance === null ? null : estimated(score.value, Math.sqrt(variance), 0, 1);
  return {
    of,
    bins: measured.bins.map((bin) => ({
      low: bin.low,
      high: bin.high,
      n: bin.n,
      mean: bin.mean,
      right: measureShare(bin.came, bin.n),
    })),
    ece: calibrationError(items, seed),
    brier: { value: score.value, low: interval?.low ?? null, high: interval?.high ?? null, n },
  };
}

/** Recomputes the bins in each resample. Clips the lower end of the error at 0. */
function calibrationError(items: readonly Forecast[], seed: number): Reliability['ece'] {
  const found = resampled(items, (sample) => ece(sample, { bins })?.value ?? null, seed);
  return { ...found, low: found.low === null ? null : Math.max(0, found.low) };
}

const forecastsOf = ({ p, right, wrong }: ConfidenceGroup): Forecast[] => [
  ...Array.from({ length: right }, () => ({ p, y: 1 as const })),
  ...Array.from({ length: wrong }, () => ({ p, y: 0 as const })),
];
