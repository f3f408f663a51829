import { type Matrix, ranksOf, wilson } from '../domain';
import { type Estimated, estimated } from './intervals';

/**
 * A score as a detector of bad items, at every possible threshold (calibration.md 5.5). Either end
 * of the scale may be the bad one. `at_or_above`: an item fails with a score of t or more (a score
 * of defects). `below`: it fails with a score less than t (a score of quality, with a pass
 * threshold). Of equally good thresholds the highest is used.
 *
 * ROC AUC: P(a bad item's score is the worse one) + ½P(equal), by mid-ranks, with the interval of
 * DeLong, DeLong and Clarke-Pearson 1988 as computed by Sun and Xu 2014. Average precision: Σ (R_k
 * − R_{k−1})·P_k, with equal scores taken together.
 */
export type Fails = 'at_or_above' | 'below';

export interface Scored {
  readonly score: number;
  readonly bad: boolean;
}

/** One threshold and its matrix. */
export interface ThresholdPoint extends Matrix {
  readonly threshold: number;
}

/**
 * Ascending thresholds, one per distinct score.
 * @throws RangeError on a score that is not finite
 */
export function sweep(scored: readonly Scored[], fails: Fails = 'at_or_above'): ThresholdPoint[] {
  if (!scored.every(({ score }) => Number.isFinite(score)))
    throw new RangeError('a score is no number');
  const sorted = [...scored].sort((a, b) => a.score - b.score);
  const bad = sorted.filter((one) => one.bad).length;
  const good = sorted.length - bad;
  const points: ThresholdPoint[] = [];
  let [badBelow, goodBelow] = [0, 0];
  for (const [i, { score, bad: isBad }] of sorted.entries()) {
    if (i === 0 || sorted[i - 1]?.score !== score) {
      const [caught, rejected] =
        fails === 'below' ? [badBelow, goodBelow] : [bad - badBelow, good - goodBelow];
      points.push({
        threshold: score,
        caught,
        missed: bad - caught,
        rejected,
        passed: good - rejected,
      });
    }
    if (isBad) badBelow++;
    else goodBelow++;
  }
  return points;
}

/** Null if one class is absent. */
export function rocAuc(scored: readonly Scored[], fails: Fails = 'at_or_above'): Estimated | null {
  const way = fails === 'below' ? -1 : 1;
  const [bad, good] = [true, false].map((kind) =>
    scored.filter((one) => one.bad === kind).map(({ score }) => way * score),
  );
  if (!bad || !good || bad.length === 0 || good.length === 0) return null;
  const all = ranksOf([...bad, ...good]);
  const [ofBad, ofGood] = [ranksOf(bad), ranksOf(good)];
  // The share (0..1) of the other class that each item is on the correct side of.
  const badPlaces = ofBad.map((rank, i) => ((all[i] ?? 0) - rank) / good.length);
  const goodPlaces = ofGood.map((rank, i) => 1 - ((all[bad.length + i] ?? 0) - rank) / bad.length);
  const value = badPlaces.reduce((sum, place) => sum + place, 0) / bad.length;
  const se = Math.sqrt(varianceOfMean(badPlaces) + varianceOfMean(goodPlaces));
  if (se > 0) return estimated(value, se, 0, 1);
  // Without overlap, or with a class of one item, DeLong's variance is 0. The interval then uses
  // the size of the smaller class.
  const min = Math.min(bad.length, good.length);
  return { value, se, ...wilson(value * min, min) };
}

function varianceOfMean(values: readonly number[]): number {
  const n = values.length;
  if (n < 2) return 0;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n;
}

/** Null without bad items. For an uninformative score it equals the share of bad items. */
export function averagePrecision(
  scored: readonly Scored[],
  fails: Fails = 'at_or_above',
): number | null {
  const way = fails === 'below' ? 1 : -1;
  const sorted = [...scored].sort((a, b) => way * (a.score - b.score));
  // Uses plain loops, because it is computed for thousands of resamples.
  let bad = 0;
  for (const one of sorted) if (one.bad) bad++;
  if (bad === 0) return null;
  let [sum, caught, before] = [0, 0, 0];
  for (let i = 0; i < sorted.length; i++) {
    const score = sorted[i]?.score;
    if (sorted[i]?.bad === true) caught++;
    if (sorted[i + 1]?.score === score) continue;
    sum += ((caught - before) / bad) * (caught / (i + 1));
    before = caught;
  }
  return sum;
}

/**
 * The point with the greatest Youden J; in a tie, the highest threshold. Null if one class is
 * absent.
 */
export function bestYouden(points: readonly ThresholdPoint[]): ThresholdPoint | null {
  // Computes J·m₁·m₀ in integers: equal values must compare as equal.
  const scaledYouden = ({ caught, missed, rejected, passed }: Matrix): number =>
    caught * (rejected + passed) - rejected * (caught + missed);
  return best(bothClasses(points), scaledYouden);
}

function bothClasses(points: readonly ThresholdPoint[]): ThresholdPoint[] {
  return points.filter(
    ({ caught, missed, rejected, passed }) => caught + missed > 0 && rejected + passed > 0,
  );
}

function best(
  points: readonly ThresholdPoint[],
  scoreOf: (point: ThresholdPoint) => number,
): ThresholdPoint | null {
  let [chosen, max]: [ThresholdPoint | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const point of points) {
    const own = scoreOf(point);
    if (own > max || (own === max && chosen && point.threshold > chosen.threshold))
      [chosen, max] = [point, own];
  }
  return chosen;
}
