import { chiSquareUpper, normalQuantile, normalTwoSided } from './distributions';
import { type Estimated, estimated } from './intervals';
import { dot, inverse, times } from './linear-system';
import { createRandom } from './random';

/**
 * Judges, prompts and models held beside each other (calibration.md 5.7).
 *
 * McNemar 1947 by the binomial: of the b + c subjects that one of them alone got right, each is as
 * likely either's where the two are equally good. Exact p = 2 P[X <= min(b, c)], X ~ Bin(b + c,
 * 1/2). The mid-p takes P[X = min] off it once: the exact test is too careful on few pairs, and the
 * mid-p keeps its level there (Fagerland 2013). χ² = (|b − c| − 1)²/(b + c). Stuart 1955 and
 * Maxwell 1970: d'S⁻¹d of the differences of margins. Cochran 1950: Q. Fisher 1935: two independent
 * shares, exactly. Holm 1979; Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001.
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

/** A statistic with its p. */
export interface Tested {
  readonly statistic: number;
  readonly df: number;
  readonly p: number;
}

/** For many pairs; null where the two never differ. @throws RangeError on what are no counts */
export function mcNemarChiSquare(better: number, worse: number): Tested | null {
  refuse([better, worse]);
  if (better + worse === 0) return null;
  const statistic = Math.max(0, Math.abs(better - worse) - 1) ** 2 / (better + worse);
  return { statistic, df: 1, p: chiSquareUpper(statistic, 1) };
}

/**
 * Whether two raters use more than two classes alike; `table` square. Null where they never differ,
 * or too little to tell.
 */
export function stuartMaxwell(table: readonly (readonly number[])[]): Tested | null {
  refuse(table.flat());
  const row = (i: number): number => (table[i] ?? []).reduce((sum, cell) => sum + cell, 0);
  const column = (i: number): number => table.reduce((sum, cells) => sum + (cells[i] ?? 0), 0);
  const cell = (i: number, j: number): number => table[i]?.[j] ?? 0;
  // A class on which both always agree says nothing, and would leave S singular.
  const used = table.map((_, i) => i).filter((i) => row(i) + column(i) > 2 * cell(i, i));
  const kept = used.slice(0, -1);
  if (kept.length === 0) return null;
  const differences = kept.map((i) => row(i) - column(i));
  const spread = kept.map((i) =>
    kept.map((j) => (i === j ? row(i) + column(i) - 2 * cell(i, i) : -(cell(i, j) + cell(j, i)))),
  );
  const inverted = inverse(spread);
  if (!inverted) return null;
  const statistic = dot(differences, times(inverted, differences));
  return { statistic, df: kept.length, p: chiSquareUpper(statistic, kept.length) };
}

/**
 * `rows`: an item a row, whether each judge got it right. Null with fewer than two judges, and
 * where all always agree.
 */
export function cochranQ(rows: readonly (readonly (0 | 1)[])[]): Tested | null {
  const judges = rows[0]?.length ?? 0;
  if (judges < 2 || rows.some((row) => row.length !== judges)) return null;
  const columns = Array.from({ length: judges }, (_, j) =>
    rows.reduce<number>((sum, row) => sum + (row[j] ?? 0), 0),
  );
  const sums = rows.map((row) => row.reduce<number>((sum, right) => sum + right, 0));
  const whole = sums.reduce((sum, one) => sum + one, 0);
  const under = judges * whole - sums.reduce((sum, one) => sum + one * one, 0);
  if (under === 0) return null;
  const statistic =
    ((judges - 1) * (judges * columns.reduce((sum, one) => sum + one * one, 0) - whole * whole)) /
    under;
  return { statistic, df: judges - 1, p: chiSquareUpper(statistic, judges - 1) };
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

/** As `benjaminiHochberg`, for tests that hang together in any way. */
export function benjaminiYekutieli(ps: readonly number[]): number[] {
  const harmonic = ps.reduce((sum, _, i) => sum + 1 / (i + 1), 0);
  return adjust(ps, 'up', (p, rank) => (p * ps.length * harmonic) / (rank + 1));
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
 * Two-sided p that paired differences have mean 0, by turning signs: all of them up to 14 pairs,
 * else `permutations` drawn by `seed`, the data counted as one. Null without pairs.
 */
export function pairedPermutation(
  differences: readonly number[],
  { seed, permutations = 10_000 }: { readonly seed: number; readonly permutations?: number },
): number | null {
  const n = differences.length;
  if (n === 0) return null;
  const seen = Math.abs(differences.reduce((sum, one) => sum + one, 0));
  // Sums that are equal but for rounding are as far out.
  const reached = (sum: number): boolean => Math.abs(sum) >= seen - 1e-12 * Math.max(1, seen);
  let far = 0;
  if (n <= 14) {
    for (let signs = 0; signs < 2 ** n; signs++) {
      if (reached(differences.reduce((sum, one, i) => sum + ((signs >> i) & 1 ? one : -one), 0)))
        far++;
    }
    return far / 2 ** n;
  }
  const random = createRandom(seed);
  for (let i = 0; i < permutations; i++) {
    if (reached(differences.reduce((sum, one) => sum + (random() < 0.5 ? one : -one), 0))) far++;
  }
  return (far + 1) / (permutations + 1);
}

/**
 * Two generators, each corrected by its own labels: a judge's bias for one of them does not cancel.
 */
export function correctedDifference(
  one: { readonly value: number; readonly se: number },
  other: { readonly value: number; readonly se: number },
): Estimated & { readonly p: number | null } {
  const se = Math.hypot(one.se, other.se);
  const value = one.value - other.value;
  return { ...estimated(value, se, -1, 1), p: se === 0 ? null : normalTwoSided(value / se) };
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

/**
 * Bradley and Terry 1952: P(i beats j) = s_i/(s_i + s_j), by the iteration of Hunter 2004.
 * `wins[i][j]`: how often i beat j, a tie half to each. The result is ln s, its mean 0. Null where
 * some of them never beat the others, in whatever many steps: their strength has no bound.
 */
export function bradleyTerry(wins: readonly (readonly number[])[]): number[] | null {
  const n = wins.length;
  const won = (i: number, j: number): number => (i === j ? 0 : (wins[i]?.[j] ?? 0));
  if (n < 2 || !allReach(n, (i, j) => won(i, j) > 0) || !allReach(n, (i, j) => won(j, i) > 0))
    return null;
  const totals = wins.map((_, i) => wins.reduce((sum, _row, j) => sum + won(i, j), 0));
  let logs = new Array<number>(n).fill(0);
  for (let step = 0; step < 10_000; step++) {
    const next = logs.map((own, i) => {
      const met = logs.reduce((sum, other, j) => {
        const games = won(i, j) + won(j, i);
        return games === 0 ? sum : sum + games / (Math.exp(own) + Math.exp(other));
      }, 0);
      return Math.log((totals[i] ?? 0) / met);
    });
    const mean = next.reduce((sum, one) => sum + one, 0) / n;
    const centred = next.map((one) => one - mean);
    const moved = Math.max(...centred.map((one, i) => Math.abs(one - (logs[i] ?? 0))));
    logs = centred;
    if (moved < 1e-12) break;
  }
  return logs;
}

/** Whether the first leads to all others. */
function allReach(n: number, leads: (from: number, to: number) => boolean): boolean {
  const reached = new Set([0]);
  for (const from of reached) for (let to = 0; to < n; to++) if (leads(from, to)) reached.add(to);
  return reached.size === n;
}

function refuse(counts: readonly number[]): void {
  if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0))
    throw new RangeError(`no counts: ${counts.join(', ')}`);
}
