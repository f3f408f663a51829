import { logBeta, logMean } from './level-change';

/** Successes and trials of one day. */
export interface DayShare {
  readonly passed: number;
  readonly decided: number;
}

/** The evidence that the rate of a series has changed once within a window. */
export interface RateChange {
  /** Natural logarithm of the e-value: 0 means no evidence, ln(20) is p = 0.05. */
  readonly logE: number;
  /** Index of the first day with the new rate, where the evidence is largest. */
  readonly at: number;
  readonly before: DayShare;
  readonly after: DayShare;
}

/** Trials that both sides of a change must have. */
const minSide = 20;
const jeffreys = { good: 0.5, bad: 0.5 };
/** The weight of the rate before a change in the prior of the new rate, in trials. */
const newRateWeight = 10;

/**
 * Tests whether the success rate changed on one of the days. The statistic averages, over the
 * days, the Bayes factor of two rates against one. A rate has the prior Beta(1/2, 1/2),
 * and the new one a Beta prior around the rate before. Averaged over the prior, its expectation is
 * at most 1 however often it is computed while days are added (Ville's inequality; Grünwald, de
 * Heide and Koolen 2024, "Safe testing"); simulations show the same for fixed rates. Time linear in
 * the days.
 * @returns null if no day has at least 20 trials on both sides
 */
export function detectRateChange(days: readonly DayShare[]): RateChange | null {
  const all = sumOf(days);
  const logConstant = logMixture(all);
  const terms: number[] = [];
  let best: Omit<RateChange, 'logE'> | null = null;
  let bestTerm = Number.NEGATIVE_INFINITY;
  let before: DayShare = { passed: 0, decided: 0 };
  for (const [at, day] of days.entries()) {
    const after = { passed: all.passed - before.passed, decided: all.decided - before.decided };
    const mean = (before.passed + 0.5) / (before.decided + 1);
    const near = { good: newRateWeight * mean, bad: newRateWeight * (1 - mean) };
    const term = logMixture(before) + logMixture(after, near) - logConstant;
    terms.push(term);
    const isLarge = before.decided >= minSide && after.decided >= minSide;
    if (isLarge && term > bestTerm) {
      best = { at, before, after };
      bestTerm = term;
    }
    before = { passed: before.passed + day.passed, decided: before.decided + day.decided };
  }
  return best === null ? null : { ...best, logE: logMean(terms) };
}

/**
 * The series whose e-values are significant together: the e-BH procedure (Wang and Ramdas 2022,
 * arXiv 2009.02824) rejects those with the k largest e-values, for the largest k with e_(k) ≥ m/(α k).
 * It bounds the false discovery rate by α under any dependence.
 * @param logEs natural logarithms of the e-values of all m series
 * @returns the indices of the significant ones
 */
export function significantTogether(logEs: readonly number[], alpha: number): readonly number[] {
  const order = logEs.map((_, i) => i).sort((a, b) => (logEs[b] ?? 0) - (logEs[a] ?? 0));
  let count = 0;
  order.forEach((i, rank) => {
    if ((logEs[i] ?? 0) >= Math.log(logEs.length / (alpha * (rank + 1)))) count = rank + 1;
  });
  return order.slice(0, count);
}

function sumOf(days: readonly DayShare[]): DayShare {
  let passed = 0;
  let decided = 0;
  for (const day of days) {
    passed += day.passed;
    decided += day.decided;
  }
  return { passed, decided };
}

/** ln of the likelihood of a sequence, averaged over rates by the prior Beta(good, bad). */
function logMixture({ passed, decided }: DayShare, { good, bad } = jeffreys): number {
  return logBeta(passed + good, decided - passed + bad) - logBeta(good, bad);
}
