import { minSampleSize, z95 } from './rate';

/**
 * Spearman 1904: the correlation of ranks; equal values share their mean rank. The 95% interval
 * uses Fisher's z with the variance of Bonett and Wright 2000: tanh(atanh(r) ± z·√((1 + r²/2) / (n
 * − 3))).
 */
export interface RankCorrelation {
  /** −1..1; null if one side is constant. */
  readonly value: number | null;
  /** Null if there is no value, or with fewer than four pairs. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/**
 * The correlation for display: null with fewer than `minSampleSize` pairs. @throws RangeError for a
 * number that is not finite
 */
export function rankCorrelation(pairs: readonly (readonly [number, number])[]): RankCorrelation {
  const { n, ...rest } = rankCorrelationOf(pairs);
  return n < minSampleSize ? { value: null, low: null, high: null, n } : { ...rest, n };
}

/** The correlation for any number of pairs. @throws RangeError for a number that is not finite */
export function rankCorrelationOf(pairs: readonly (readonly [number, number])[]): RankCorrelation {
  if (!pairs.flat().every(Number.isFinite)) throw new RangeError('a pair is no two numbers');
  const n = pairs.length;
  const noCorrelation = { value: null, low: null, high: null, n };
  const a = ranksOf(pairs.map(([one]) => one));
  const b = ranksOf(pairs.map(([, other]) => other));
  const middle = (n + 1) / 2;
  const spread = (ranks: readonly number[]): number =>
    ranks.reduce((sum, rank) => sum + (rank - middle) ** 2, 0);
  const denominator = Math.sqrt(spread(a) * spread(b));
  if (denominator === 0) return noCorrelation;
  const shared = a.reduce((sum, rank, i) => sum + (rank - middle) * ((b[i] ?? middle) - middle), 0);
  const value = Math.max(-1, Math.min(1, shared / denominator));
  if (n < 4) return { ...noCorrelation, value };
  const half = z95 * Math.sqrt((1 + (value * value) / 2) / (n - 3));
  // atanh is unbounded at -1 and 1, so the value is clamped; otherwise neither end of the interval
  // would be defined.
  const at = Math.atanh(Math.max(-0.999_999, Math.min(0.999_999, value)));
  return { value, low: Math.tanh(at - half), high: Math.tanh(at + half), n };
}

/** Ranks from 1, the lowest; equal values share their mean rank. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((value, i) => ({ value, i })).sort((x, y) => x.value - y.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && order[to + 1]?.value === order[from]?.value) to++;
    for (const { i } of order.slice(from, to + 1)) ranks[i] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return ranks;
}
