import { normalQuantile } from './distributions';

/**
 * Judges, prompts and models held next to each other (calibration.md 5.7).
 *
 * McNemar 1947 by the binomial: of the b + c subjects that one of them alone got right, each is as
 * likely either's where the two are equally good. Exact p = 2 P[X <= min(b, c)], X ~ Bin(b + c,
 * 1/2). The mid-p takes P[X = min] off it once: the exact test is too careful on few pairs, and the
 * mid-p keeps its level there (Fagerland 2013). Fisher 1935: two independent shares, exactly. Holm
 * 1979; Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001.
 */
export interface PairedTest {
  /** Right by the first alone. */
  readonly better: number;
  /** Right by the second alone. */
  readonly worse: number;
  /** Two-sided, 0..1; both null where the two never differ. */
  readonly exactP: number | null;
  readonly midP: number | null;
}

/** @throws RangeError on what are no counts */
export function mcNemar(better: number, worse: number): PairedTest {
  refuse([better, worse]);
  const n = better + worse;
  if (n === 0) return { better, worse, exactP: null, midP: null };
  // In logarithms: 2^-n is nothing for a float from n = 1075 on.
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
 * A pair with one right answer: the cluster it comes from, and whether the first alone is right
 * (1), the second (-1) or neither (0).
 */
export interface Pairing {
  readonly cluster: string;
  readonly side: 1 | 0 | -1;
}

/**
 * McNemar's test of pairs that come in clusters (turns of a session, outputs of one source
 * document): where the two are equally good, the difference of each cluster is as likely as its
 * opposite. Exact: the distribution of the sum of these differences under all choices of sign, the
 * sum seen by half for the mid-p. With one pair a cluster it is `mcNemar`; Durkalski, Palesch,
 * Lipsitz and Rust 2003 give the same test for many clusters.
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
  // `chances[i]`: of the sum 2i less the sum of all so far.
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
 * Two-sided p that two independent shares are the same, by Fisher's exact test at any size: of all
 * tables with these margins, the chance of those that are no likelier than the one seen. Null where
 * a share is of nothing, and where nothing or everything is counted in both: then there is one
 * table only.
 * @throws RangeError on what are no counts
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
  const [least, most] = [Math.max(0, counted - m), Math.min(counted, n)];
  const mode = Math.min(most, Math.max(least, Math.floor(((counted + 1) * (n + 1)) / (n + m + 2))));
  // Chances as shares of the greatest: from the mode outward they only fall, so that none is lost
  // to the range of floats that would count.
  const chances = new Map([[mode, 1]]);
  for (let k = mode, chance = 1; k < most && chance > negligible; k++) {
    chance *= ((counted - k) * (n - k)) / ((k + 1) * (m - counted + k + 1));
    chances.set(k + 1, chance);
  }
  for (let k = mode, chance = 1; k > least && chance > negligible; k--) {
    chance *= (k * (m - counted + k)) / ((counted - k + 1) * (n - k + 1));
    chances.set(k - 1, chance);
  }
  // Chances that are equal but for rounding are as unlikely.
  const seen = (chances.get(one.numerator) ?? 0) * (1 + 1e-9);
  const [all, unlikely] = [...chances.values()].reduce(
    ([sum, rare], chance) => [sum + chance, chance <= seen ? rare + chance : rare],
    [0, 0],
  );
  return Math.min(1, unlikely / all);
}

const negligible = 1e-300;

/**
 * Adjusted p in the order given: all that stay under a level are differences, wrong in any of them
 * with at most that chance.
 */
export function holm(ps: readonly number[]): number[] {
  return adjust(ps, 'down', (p, rank) => p * (ps.length - rank));
}

/**
 * Adjusted p in the order given: of those under a level, at most that share is expected to be
 * wrong.
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
 * The least difference of paired shares that `n` items would show: (z_{1−α/2} +
 * z_{power})·√(p_d/n), `discordant` p_d: the share of items that one of the two alone gets right.
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
