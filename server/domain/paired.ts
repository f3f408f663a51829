/**
 * Two verifiers held against the truth on the same subjects. McNemar 1947 by the binomial: of the b + c subjects that one of them alone
 * got right, each is as likely either's where the two are equally good. Exact p = 2 P[X <= min(b, c)], X ~ Bin(b + c, 1/2). The mid-p
 * takes P[X = min] off it once: the exact test is too careful on few pairs, and the mid-p keeps its level there (Fagerland 2013).
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
  if (![better, worse].every((count) => Number.isSafeInteger(count) && count >= 0)) throw new RangeError(`no counts: ${better}, ${worse}`);
  const n = better + worse;
  if (n === 0) return { better, worse, exactP: null, midP: null };
  // In logarithms: 2^-n is nothing for a float from n = 1075 on.
  let logTerm = -n * Math.LN2;
  let below = Math.exp(logTerm);
  for (let k = 1; k <= Math.min(better, worse); k++) {
    logTerm += Math.log((n - k + 1) / k);
    below += Math.exp(logTerm);
  }
  return { better, worse, exactP: Math.min(1, 2 * below), midP: Math.min(1, 2 * below - Math.exp(logTerm)) };
}
