import { type Matrix, z95 } from '../domain';
import type { WeightedCell, WeightedCells } from './corrected';
import type { Interval } from './intervals';

/**
 * 95% intervals of a corrected share of bad items by inverting a score test: a share θ is in the
 * interval unless T(θ)² > z²·V(θ), where T is a sum of independent proportions with expectation 0
 * at the true θ, and V is its variance at the most likely proportions for which it is 0 (Miettinen
 * and Nurminen 1985; of ratios, Fieller 1954). The variance is that of the tested share, not of the
 * observed one, so that cells that happen to be empty make no interval too narrow, and small shares
 * keep a skewed one. Intervals of the form θ ± z·se cover 91% to 93% in some settings in which
 * these cover 94% to 96% (`coverage-corrected.test.ts`).
 *
 * Proportions of items with unequal draw probabilities are Hájek's, with the number of items of
 * equal weight that corresponds to their linearised variance (Särndal, Swensson and Wretman 1992,
 * 5.7): at a share x of bad items it is Σw / ((1 − x)·m₁ + x·m₀), where m₁ and m₀ are the mean
 * weights, by weight, of bad and of good items.
 */
interface Term {
  /** The factor of the proportion in T. */
  readonly factor: number;
  /** The observed proportion, 0 to 1. */
  readonly found: number;
  /** The equivalent number of items of equal weight, if `at` is the true proportion. */
  readonly items: (at: number) => number;
}

interface Score {
  readonly t: number;
  readonly v: number;
}

/**
 * T and V at one θ. Half steps of Fisher's scoring move the proportions to the most likely ones for
 * which T is 0.
 */
function scoreOf(terms: readonly Term[], constant: number): Score {
  const t = terms.reduce((sum, { factor, found }) => sum + factor * found, constant);
  const parts = terms.map((term) => ({
    ...term,
    at: clamped((term.found * term.items(term.found) + 0.5) / (term.items(term.found) + 1)),
  }));
  for (let step = 0; step < stepsMax; step++) {
    const v = varianceOf(parts);
    let moved = 0;
    for (const part of parts) {
      const { factor, found, items, at } = part;
      part.at = clamped((at + found - (t * factor * ofProportion(at, items(at))) / v) / 2);
      moved = Math.max(moved, Math.abs(part.at - at));
    }
    if (moved < 1e-5) break;
  }
  return { t, v: varianceOf(parts) };
}

function varianceOf(parts: readonly (Term & { readonly at: number })[]): number {
  let sum = 0;
  for (const { factor, at, items } of parts) sum += factor * factor * ofProportion(at, items(at));
  return sum;
}

const stepsMax = 16;
/** Minimum distance of proportions from 0 and 1, where their variance would be 0. */
const edge = 1e-4;
const clamped = (p: number): number => Math.min(1 - edge, Math.max(edge, p));

const ofProportion = (p: number, n: number): number => (p * (1 - p)) / n;

/**
 * The interval of all shares between 0 and 1 around `value` that the test does not reject; null if
 * it rejects `value` too.
 */
function inverted(value: number, test: (share: number) => Score): Interval | null {
  /** Above 0 if rejected. */
  const excess = (share: number): number => {
    const { t, v } = test(share);
    return t * t - z95 * z95 * v;
  };
  const from = clamped(value);
  const start = excess(from);
  return start > 0
    ? null
    : { low: boundOf(excess, from, start, 0), high: boundOf(excess, from, start, 1) };
}

/**
 * Finds the sign change of `excess` between `inside` and `end` by false position (Dowell and
 * Jarratt 1971, Illinois).
 */
function boundOf(
  excess: (share: number) => number,
  from: number,
  start: number,
  end: number,
): number {
  let [inside, low, outside, high] = [from, start, end, excess(end)];
  if (high <= 0) return end;
  for (let step = 0; step < 40 && Math.abs(outside - inside) > 1e-6; step++) {
    const next = (inside * high - outside * low) / (high - low);
    const found = excess(next);
    if (Math.abs(found) < 1e-9) return next;
    if (found > 0) [outside, high, low] = [next, found, low / 2];
    else [inside, low, high] = [next, found, high / 2];
  }
  return inside;
}

const single = { bad: 1, good: 1 } as const;

/**
 * The interval of Rogan and Gladen's share: T(θ) = p̂ − θ·q₁ − (1 − θ)·(1 − q₀), with `flagged` of
 * `decided` and the two rates of `matrix`. `weights` is the weight of one label of a class (1 /
 * design effect). Null if a class has no labels, nothing was decided, or no share is compatible
 * with both the labels and the flagged count.
 */
export function roganGladenInterval(
  {
    flagged,
    decided,
    matrix,
  }: { readonly flagged: number; readonly decided: number; readonly matrix: Matrix },
  weights: { readonly bad: number; readonly good: number } = single,
): Interval | null {
  const [bad, good] = [matrix.caught + matrix.missed, matrix.rejected + matrix.passed];
  if (bad === 0 || good === 0 || decided === 0) return null;
  const [flags, sensitivity, specificity] = [
    flagged / decided,
    matrix.caught / bad,
    matrix.passed / good,
  ];
  const value = (flags + specificity - 1) / (sensitivity + specificity - 1);
  return inverted(Number.isFinite(value) ? value : 0.5, (share) =>
    scoreOf(
      [
        { factor: 1, found: flags, items: () => decided },
        { factor: -share, found: sensitivity, items: () => bad * weights.bad },
        { factor: 1 - share, found: specificity, items: () => good * weights.good },
      ],
      share - 1,
    ),
  );
}

/**
 * The interval of the share from a random sample combined with all flags (PPI++), post-stratified
 * by the flag: θ = W·r₁ + (1 − W)·r₀, with W the flagged share of all items, and r₁ and r₀ the
 * shares of bad items among the flagged and the passed labels. For a binary verdict this equals
 * PPI++ with its best λ, r₁ − r₀, to first order. Null if the sample lacks flagged or passed items.
 */
export function sampledInterval({
  cells,
  flagged,
  decided,
}: {
  readonly cells: WeightedCells;
  readonly flagged: number;
  readonly decided: number;
}): Interval | null {
  const { caught, missed, rejected, passed } = cells;
  if (caught.n + rejected.n === 0 || missed.n + passed.n === 0) return null;
  const all = decided + caught.n + missed.n + rejected.n + passed.n;
  const flags = (flagged + caught.n + rejected.n) / all;
  const mean = meanWeight([caught, missed, rejected, passed]);
  const [ofFlagged, ofPassed] = [stratum(caught, rejected, mean), stratum(missed, passed, mean)];
  const slope = ofFlagged.found - ofPassed.found;
  const value = ofPassed.found + flags * slope;
  return inverted(value, (share) => {
    const { t, v } = scoreOf(
      [
        { factor: flags, ...ofFlagged },
        { factor: 1 - flags, ...ofPassed },
      ],
      -share,
    );
    return { t, v: v + slope * slope * ofProportion(flags, all) };
  });
}

const meanWeight = (cells: readonly WeightedCell[]): number =>
  cells.reduce((sum, { square }) => sum + square, 0) /
  cells.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Number of items of mean weight added to the few bad or good ones of a stratum before computing
 * their mean weight.
 */
const borrowed = 4;

function stratum(bad: WeightedCell, good: WeightedCell, mean: number): Omit<Term, 'factor'> {
  const weight = bad.weight + good.weight;
  const own = meanWeight([bad, good, { n: 0, weight: mean, square: mean * mean }]);
  const of = (cell: WeightedCell): number =>
    (cell.square + borrowed * own * own) / (cell.weight + borrowed * own);
  const [ofBad, ofGood] = [of(bad), of(good)];
  return {
    found: bad.weight / weight,
    items: (at) => weight / ((1 - at) * ofBad + at * ofGood),
  };
}
