import { logGamma } from './distributions';

/** The evidence that the daily values of a series moved to one side within a window. */
export interface LevelChange {
  /** Natural logarithm of the e-value: 0 means no evidence, ln(20) is p = 0.05. */
  readonly logE: number;
  /** Index of the first day of the new level, where the evidence is largest. */
  readonly at: number;
}

export interface LevelOptions {
  readonly side: 'higher' | 'lower';
  /** The first day that is searched for a change. */
  readonly from: number;
  /** 7 ranks a value among those of its weekday, 1 among those of all days. */
  readonly period: 1 | 7;
}

/** Values that both sides of a change must have. */
const minBefore = 14;
const minAfter = 2;
/** Which of the earlier values a new one must exceed: all, or all but a share of them. */
const exceptShares = [0, 1 / 8, 1 / 4];
/** The supposed shares of new values that exceed them. */
const exceeding = [0.5, 0.8, 0.95];

/**
 * Tests whether daily values (a mean, a count, a share) became higher or lower on one of the days.
 * Counts the new values that exceed all earlier ones, or all but k of the n, of all days or of the
 * same weekday. If these days are exchangeable, this count has the distribution of exceedances,
 * regardless of the distribution of the values (Gumbel and von Schelling 1950, "The distribution of
 * the number of exceedances"): heavy tails, and days that vary more than their counts suggest, do
 * no harm. The likelihood of a high share of exceedances, divided by this probability, is an
 * e-value for every day: a conformal test martingale (Vovk, Nouretdinov and Gammerman 2003,
 * "Testing exchangeability on-line"). It is averaged over shares, k and days. Equal values do not
 * exceed, which only lowers it. Simulations show that it holds for a moving window as well.
 * @param days one value per day, the latest last; null without one
 * @returns null if no day has 14 values before and 2 after it
 */
export function detectLevelChange(
  days: readonly (number | null)[],
  { side, from, period }: LevelOptions,
): LevelChange | null {
  const sign = side === 'higher' ? 1 : -1;
  const values = days.map((value) => (value === null ? null : sign * value));
  const groups = Array.from({ length: period }, (_, group) =>
    values.flatMap((value, day) =>
      value !== null && day % period === group ? [{ day, value }] : [],
    ),
  );
  const terms: number[] = [];
  let best: number | null = null;
  let bestTerm = Number.NEGATIVE_INFINITY;
  for (let at = from; at < values.length; at++) {
    const term = logEvidence(groups, at);
    terms.push(term);
    const isLarge =
      countOf(values.slice(0, at)) >= minBefore && countOf(values.slice(at)) >= minAfter;
    // Days without a value change nothing: the change is dated to a day with one.
    if (isLarge && term > bestTerm && values[at] !== null) {
      best = at;
      bestTerm = term;
    }
  }
  return best === null ? null : { at: best, logE: logMean(terms) };
}

interface Placed {
  readonly day: number;
  readonly value: number;
}

/** ln of the evidence that the values of groups of days are higher from a day on. */
function logEvidence(groups: readonly (readonly Placed[])[], at: number): number {
  const logs = exceptShares.flatMap(() => exceeding.map(() => 0));
  for (const group of groups) {
    const n = group.filter(({ day }) => day < at).length;
    const after = group.slice(n);
    const before = group.slice(0, n).sort((a, b) => b.value - a.value);
    if (n === 0 || after.length === 0) continue;
    exceptShares.forEach((share, i) => {
      const k = Math.floor(n * share);
      const bar = before[k]?.value ?? 0;
      const above = after.filter(({ value }) => value > bar).length;
      const below = after.length - above;
      const chance = logChance(k, n, above, below);
      exceeding.forEach((supposed, j) => {
        const place = i * exceeding.length + j;
        const likelihood = above * Math.log(supposed) + below * Math.log(1 - supposed);
        logs[place] = (logs[place] ?? 0) + likelihood - chance;
      });
    });
  }
  return logMean(logs);
}

const knownChances = new Map<number, number>();

/**
 * ln of the probability of a sequence of new values under exchangeability, of which `above` exceed
 * all but k of n earlier ones, and `below` do not.
 */
function logChance(k: number, n: number, above: number, below: number): number {
  const key = ((k * 1024 + n) * 1024 + above) * 1024 + below;
  const known = knownChances.get(key);
  if (known !== undefined) return known;
  const chance = logBeta(k + 1 + above, n - k + below) - logBeta(k + 1, n - k);
  // Longer series are not kept, so that the keys stay distinct and the map small.
  if (n + above + below < 64) knownChances.set(key, chance);
  return chance;
}

const countOf = (values: readonly (number | null)[]): number =>
  values.filter((value) => value !== null).length;

/** ln of the mean of the numbers with these logarithms. */
export function logMean(logs: readonly number[]): number {
  const largest = Math.max(...logs);
  return (
    largest + Math.log(logs.reduce((sum, each) => sum + Math.exp(each - largest), 0) / logs.length)
  );
}

/** ln of the beta function. */
export const logBeta = (a: number, b: number): number =>
  logGamma(a) + logGamma(b) - logGamma(a + b);
