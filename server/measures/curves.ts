import type { ProjectCtx } from '../access';
import { readVerifierName } from '../domain';
import { listThresholds } from '../thresholds';
import {
  averagePrecision,
  bestYouden,
  rocAuc,
  type Scored,
  sweep,
  type ThresholdPoint,
  widened,
} from '../stats';
import type { Curves, Estimate } from './report';
import { resampled } from './report-resampled';
import { type ReportScope, reportRows } from './report-rows';
import { comparable, hasPair } from './score-pairs';

/** Labelled items with one score, on the verifier's own scale. */
export interface ScoreGroup {
  readonly score: number;
  readonly bad: number;
  readonly good: number;
}

/** Maximum number of points; more would be less than a pixel apart. */
const pointsMax = 200;

/**
 * Scores of items with truth, ascending, rounded to the 4 decimals used to compare with thresholds
 * . Includes items that were neither passed nor failed, because another threshold would decide
 * them.
 */
export async function readScoreGroups(
  ctx: ProjectCtx,
  scope: ReportScope,
): Promise<readonly ScoreGroup[]> {
  return ctx.sql<ScoreGroup[]>`
    select score, (count(*) filter (where not good))::int as bad, (count(*) filter (where good))::int as good
    from (
      select ${comparable(ctx)} as score, good from (${reportRows(ctx, scope)}) as reported where ${hasPair(ctx)}
    ) as scored group by score order by score`;
}

/**
 * Curves over thresholds. Scores below the threshold fail: a low score indicates a defect, for
 * every verifier with a pass threshold.
 * @param weight the weight of an item, if sessions have several items
 * @param threshold the current one, or null; always among the points, even between two scores
 */
export function curvesOf(
  groups: readonly ScoreGroup[],
  threshold: number | null,
  seed: number,
  weight = 1,
): Curves | null {
  if (groups.length === 0) return null;
  const scored = itemsOf(groups);
  const all = sweep(scored, 'below');
  const best = bestYouden(all);
  const n = scored.length;
  const auc = rocAuc(scored, 'below');
  const thresholdPoints = threshold === null ? [] : atThreshold(groups, threshold);
  return {
    points: thinned(all, best, thresholdPoints),
    auc:
      auc === null
        ? { value: null, low: null, high: null, n }
        : widened({ value: auc.value, low: auc.low, high: auc.high, n }, weight, [0, 1]),
    averagePrecision: withinShare(
      widened(
        resampled(scored, (sample) => averagePrecision(sample, 'below'), seed),
        weight,
        [0, 1],
      ),
    ),
    threshold,
    bestYouden: best?.threshold ?? null,
  };
}

export function itemsOf(groups: readonly ScoreGroup[]): readonly Scored[] {
  return groups.flatMap(({ score, bad, good }) => [
    ...Array.from({ length: bad }, () => ({ score, bad: true })),
    ...Array.from({ length: good }, () => ({ score, bad: false })),
  ]);
}

const withinShare = (one: Estimate): Estimate => ({
  ...one,
  low: one.low === null ? null : Math.max(0, one.low),
  high: one.high === null ? null : Math.min(1, one.high),
});

/** The matrix at the current threshold, unless a score equals it. */
function atThreshold(groups: readonly ScoreGroup[], threshold: number): ThresholdPoint[] {
  if (groups.some(({ score }) => score === threshold)) return [];
  const sum = (side: 'bad' | 'good', below: boolean): number =>
    groups.reduce(
      (total, group) => total + (group.score < threshold === below ? group[side] : 0),
      0,
    );
  return [
    {
      threshold,
      caught: sum('bad', true),
      missed: sum('bad', false),
      rejected: sum('good', true),
      passed: sum('good', false),
    },
  ];
}

/** Selects points evenly by order; keeps both ends, the best one and the current one. */
function thinned(
  all: readonly ThresholdPoint[],
  best: ThresholdPoint | null,
  thresholdPoints: readonly ThresholdPoint[],
): ThresholdPoint[] {
  const room = pointsMax - thresholdPoints.length - 1;
  const step = (all.length - 1) / (room - 1);
  const chosen =
    all.length <= room
      ? all
      : Array.from({ length: room }, (_, at) => all[Math.round(at * step)]).flatMap((point) =>
          point === undefined ? [] : [point],
        );
  const missing = best === null || chosen.includes(best) ? [] : [best];
  return [...chosen, ...missing, ...thresholdPoints].toSorted((a, b) => a.threshold - b.threshold);
}

/**
 * The current threshold; for code, the one of the tier if the report is about a single tier. Null
 * for verifiers without a threshold and for imported judges.
 */
export async function currentThreshold(
  ctx: ProjectCtx,
  { origin, verifier, slice }: ReportScope,
): Promise<number | null> {
  if (origin !== 'verifier') return null;
  const key = slice?.by === 'tier' ? slice.value : 'pass_threshold';
  const states = await listThresholds(ctx, readVerifierName(verifier).slug);
  return states.find((state) => state.key === key)?.value ?? null;
}
