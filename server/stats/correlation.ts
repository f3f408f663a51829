import { rankCorrelationOf, type RankCorrelation, z95 } from '../domain';

/**
 * The correlation of two numbers per item, −1..1, with 95% intervals. Pearson 1895, interval by
 * Fisher's z: tanh(atanh(r) ± z/√(n−3)). Spearman 1904: computed by the domain. Kendall 1945, τ_b =
 * (C − D) / √((n₀ − ties of one)(n₀ − ties of the other)), n₀ = n(n−1)/2, counted by merging
 * (Knight 1966); interval by Fisher's z with the variance of Fieller, Hartley and Pearson 1957,
 * 0.437/(n − 4). `value` is null if one side does not vary; `low` and `high` are null if there are
 * too few pairs for an interval.
 */
export type NumberPairs = readonly (readonly [number, number])[];

export interface CorrelationOf {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** @throws RangeError on a number that is not finite */
export function pearson(pairs: NumberPairs): CorrelationOf {
  refuse(pairs);
  const n = pairs.length;
  const mean = (side: 0 | 1): number => pairs.reduce((sum, pair) => sum + pair[side], 0) / n;
  const [one, other] = [mean(0), mean(1)];
  let [xx, yy, xy] = [0, 0, 0];
  for (const [x, y] of pairs) {
    xx += (x - one) ** 2;
    yy += (y - other) ** 2;
    xy += (x - one) * (y - other);
  }
  // Compares values, because sums of equal numbers leave a rounding residue that is not variance.
  if (constant(pairs, 0) || constant(pairs, 1)) return { value: null, low: null, high: null, n };
  return withInterval(xy / (Math.sqrt(xx) * Math.sqrt(yy)), n, n > 3 ? 1 / (n - 3) : null);
}

/**
 * Pearson from sums, as a query returns them: n, Σx, Σy, Σx², Σy², Σxy. Use it for values of 0..1
 * only; others lose digits.
 */
export function pearsonOfSums(sums: {
  readonly n: number;
  readonly x: number;
  readonly y: number;
  readonly xx: number;
  readonly yy: number;
  readonly xy: number;
}): CorrelationOf {
  const { n, x, y } = sums;
  const [xx, yy, xy] = [sums.xx - (x * x) / n, sums.yy - (y * y) / n, sums.xy - (x * y) / n];
  // A smaller sum is the rounding residue of equal values.
  const rounding = 1e-12;
  if (n === 0 || xx <= rounding * sums.xx || yy <= rounding * sums.yy)
    return { value: null, low: null, high: null, n };
  return withInterval(xy / (Math.sqrt(xx) * Math.sqrt(yy)), n, n > 3 ? 1 / (n - 3) : null);
}

/**
 * Accepts any number of pairs; the domain's `rankCorrelation` returns null for few.
 * @throws RangeError on a number that is not finite
 */
export function spearman(pairs: NumberPairs): RankCorrelation {
  return rankCorrelationOf(pairs);
}

/** O(n log n). @throws RangeError on a number that is not finite */
export function kendallTauB(pairs: NumberPairs): CorrelationOf {
  refuse(pairs);
  const n = pairs.length;
  if (constant(pairs, 0) || constant(pairs, 1)) return { value: null, low: null, high: null, n };
  const sorted = [...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const allPairs = (n * (n - 1)) / 2;
  const tiedX = tied(sorted, (a, b) => a[0] === b[0]);
  const tiedBoth = tied(sorted, (a, b) => a[0] === b[0] && a[1] === b[1]);
  const ys = sorted.map(([, y]) => y);
  const against = inversions(ys);
  const tiedY = tied(
    ys.sort((a, b) => a - b),
    (a, b) => a === b,
  );
  const value =
    (allPairs - tiedX - tiedY + tiedBoth - 2 * against) /
    (Math.sqrt(allPairs - tiedX) * Math.sqrt(allPairs - tiedY));
  return withInterval(value, n, n > 4 ? 0.437 / (n - 4) : null);
}

function tied<T>(sorted: readonly T[], same: (a: T, b: T) => boolean): number {
  let pairs = 0;
  let run = 1;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length && same(sorted[i - 1] as T, sorted[i] as T)) run++;
    else {
      pairs += (run * (run - 1)) / 2;
      run = 1;
    }
  }
  return pairs;
}

/** Counts pairs that are out of order, by merging runs whose length doubles each time. */
function inversions(values: readonly number[]): number {
  let from = [...values];
  let count = 0;
  for (let width = 1; width < from.length; width *= 2) {
    const to: number[] = [];
    for (let start = 0; start < from.length; start += 2 * width) {
      const left = from.slice(start, start + width);
      const right = from.slice(start + width, start + 2 * width);
      let i = 0;
      for (const value of right) {
        while (i < left.length && (left[i] ?? 0) <= value) to.push(left[i++] ?? 0);
        count += left.length - i;
        to.push(value);
      }
      to.push(...left.slice(i));
    }
    from = to;
  }
  return count;
}

function withInterval(raw: number, n: number, variance: number | null): CorrelationOf {
  const value = Math.max(-1, Math.min(1, raw));
  // At the ends atanh is unbounded and the transformation has no interval.
  if (variance === null || Math.abs(value) > 0.999_999) return { value, low: null, high: null, n };
  const half = z95 * Math.sqrt(variance);
  const at = Math.atanh(value);
  return { value, low: Math.tanh(at - half), high: Math.tanh(at + half), n };
}

function constant(pairs: NumberPairs, side: 0 | 1): boolean {
  return pairs.every((pair) => pair[side] === pairs[0]?.[side]);
}

function refuse(pairs: NumberPairs): void {
  if (!pairs.flat().every(Number.isFinite)) throw new RangeError('a pair is no two numbers');
}
