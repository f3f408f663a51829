import { normalQuantile } from './distributions';

/**
 * Comparison of judges, prompts and models (calibration.md 5.7).
 *
 * McNemar 1947 by the binomial: if two options are equally good, each of the b + c subjects that
 * only one of them got right is equally likely to belong to either. Exact p = 2 P[X <= min(b, c)],
 * X ~ Bin(b + c, 1/2). The mid-p subtracts P[X = min] once: the exact test is too conservative on
 * few pairs, and the mid-p keeps its level there (Fagerland 2013). Fisher 1935: two independent
 * shares, exactly. Holm 1979; Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001.
 */
export interface PairedTest {
  /** Pairs that only the first got right. */
  readonly better: number;
  /** Pairs that only the second got right. */
  readonly worse: number;
  /** Two-sided, 0..1; both null if the two never differ. */
  readonly exactP: number | null;
  readonly midP: number | null;
}

/** @throws RangeError on invalid counts */
export function mcNemar(better: number, worse: number): PairedTest {
  refuse([better, worse]);
  const n = better + worse;
  if (n === 0) return { better, worse, exactP: null, midP: null };
  // Uses logarithms: 2^-n underflows from n = 1075 on.
  let logTerm = -n * Math.LN2;
  let below = Math.exp(logTerm);
  for (let k = 1; k <= Math.min(better, worse); k++) {
    logTerm += Math.log((n - k + 1) / k);
    below += Math.exp(logTerm);
  }
  return {
    better,
    worse,
    exactP: Math.min(1, 2 * below),
    midP: Math.min(1, 2 * below - Math.exp(logTerm)),
  };
}

/**
 * A pair with its cluster, and whether only the first answer is right (1), only the second (-1), or
 * neither of these (0).
 */
export interface Pairing {
  readonly cluster: string;
  readonly side: 1 | 0 | -1;
}

/**
 * McNemar's test of pairs in clusters (turns of a session, outputs of one source document): if the
 * two options are equally good, the difference of each cluster is as likely as its opposite. Exact:
 * uses the distribution of the sum of these differences over all choices of sign; in the mid-p,
 * the observed sum counts half. With one pair per cluster it equals `mcNemar`; for many clusters it
 * equals the test of Durkalski, Palesch, Lipsitz and Rust 2003.
 */
export function mcNemarOfClusters(pairs: readonly Pairing[]): PairedTest {
  const sums = new Map<string, number>();
  for (const { cluster, side } of pairs) sums.set(cluster, (sums.get(cluster) ?? 0) + side);
  const count = (of: Pairing['side']): number => pairs.filter(({ side }) => side === of).length;
  const [better, worse] = [count(1), count(-1)];
  const differences = [...sums.values()].map(Math.abs).filter((one) => one > 0);
  if (differences.every((one) => one === 1) && differences.length === better + worse)
    return mcNemar(better, worse);
  if (differences.length === 0) return { better, worse, exactP: 1, midP: 1 };
  let chances: Float64Array = new Float64Array([1]);
  // `chances[i]` is the probability of the sum 2i minus the total so far.
  for (const one of differences) {
    const next = new Float64Array(chances.length + one);
    for (const [i, chance] of chances.entries()) {
      next[i] = (next[i] ?? 0) + chance / 2;
      next[i + one] = (next[i + one] ?? 0) + chance / 2;
    }
    chances = next;
  }
  const seen = Math.abs(better - worse);
  let [beyond, equal] = [0, 0];
  for (const [i, chance] of chances.entries()) {
    const sum = Math.abs(2 * i - (chances.length - 1));
    if (sum > seen) beyond += chance;
    else if (sum === seen) equal += chance;
  }
  return {
    better,
    worse,
    exactP: Math.min(1, beyond + equal),
    midP: seen === 0 ? 1 : Math.min(1, beyond + equal / 2),
  };
}

/**
 * Two-sided p value for the equality of two independent shares, by Fisher's exact test, for samples
 * of any size: the total probability, among all tables with these margins, of the tables that are
 * not likelier than the observed one. Null if a share has no denominator, or if both shares are 0
 * or both are 1, since there is then only one table.
 * @throws RangeError on invalid counts
 */
export function fisherExact(
  one: { readonly numerator: number; readonly denominator: number },
  other: { readonly numerator: number; readonly denominator: number },
): number | null {
  refuse([
    one.numerator,
    one.denominator - one.numerator,
    other.numerator,
    other.denominator - other.numerator,
  ]);
  const counted = one.numerator + other.numerator;
  const [n, m] = [one.denominator, other.denominator];
  if (n === 0 || m === 0 || counted === 0 || counted === n + m) return null;
  const [min, max] = [Math.max(0, counted - m), Math.min(counted, n)];
  const mode = Math.min(max, Math.max(min, Math.floor(((counted + 1) * (n + 1)) / (n + m + 2))));
  // Probabilities are relative to the greatest one. They only fall outward from the mode; underflow
  // therefore affects only negligible ones.
  const chances = new Map([[mode, 1]]);
  for (let k = mode, chance = 1; k < max && chance > negligible; k++) {
    chance *= ((counted - k) * (n - k)) / ((k + 1) * (m - counted + k + 1));
    chances.set(k + 1, chance);
  }
  for (let k = mode, chance = 1; k > min && chance > negligible; k--) {
    chance *= (k * (m - counted + k)) / ((counted - k + 1) * (n - k + 1));
    chances.set(k - 1, chance);
  }
  // Probabilities that differ only by rounding count as equal.
  const seen = (chances.get(one.numerator) ?? 0) * (1 + 1e-9);
  const [all, unlikely] = [...chances.values()].reduce(
    ([sum, rare], chance) => [sum + chance, chance <= seen ? rare + chance : rare],
    [0, 0],
  );
  return Math.min(1, unlikely / all);
}

const negligible = 1e-300;

/**
 * Adjusted p values in the given order. The probability of any false rejection among those below a
 * level is at most that level.
 */
export function holm(ps: readonly number[]): number[] {
  return adjust(ps, 'down', (p, rank) => p * (ps.length - rank));
}

/**
 * Adjusted p values in the given order. Of those below a level, the expected share of false
 * rejections is at most that level.
 */
export function benjaminiHochberg(ps: readonly number[]): number[] {
  return adjust(ps, 'up', (p, rank) => (p * ps.length) / (rank + 1));
}

function adjust(
  ps: readonly number[],
  way: 'up' | 'down',
  scaled: (p: number, rank: number) => number,
): number[] {
  const order = ps.map((p, i) => ({ p, i })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(ps.length).fill(1);
  let bound = way === 'down' ? 0 : 1;
  for (let step = 0; step < order.length; step++) {
    const rank = way === 'down' ? step : order.length - 1 - step;
    const { p, i } = order[rank] ?? { p: 1, i: 0 };
    bound =
      way === 'down'
        ? Math.max(bound, Math.min(1, scaled(p, rank)))
        : Math.min(bound, scaled(p, rank));
    adjusted[i] = bound;
  }
  return adjusted;
}

/**
 * The smallest difference of paired shares that `n` items would detect: (z_{1−α/2} +
 * z_{power})·√(p_d/n). `discordant` is p_d, the share of items that only one of the two gets right.
 * Null without items.
 */
export function detectableDifference(
  n: number,
  discordant: number,
  { alpha = 0.05, power = 0.8 }: { readonly alpha?: number; readonly power?: number } = {},
): number | null {
  return n > 0
    ? (normalQuantile(1 - alpha / 2) + normalQuantile(power)) * Math.sqrt(discordant / n)
    : null;
}

function refuse(counts: readonly number[]): void {
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0))
    throw new RangeError(`no counts: ${counts.join(', ')}`);
}
