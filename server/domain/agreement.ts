import { z95 } from './rate';

/**
 * How far a verifier agrees with the truth. Positive is "flagged as failing", and so the four cells have names of their own:
 * nowhere is "false positive" said alone.
 *
 * Cohen 1960: kappa = (po - pe) / (1 - pe), pe = sum of the products of the two shares of each class. Its standard error is that of
 * Fleiss, Cohen and Everitt 1969, for kappa other than 0: with cell shares p(i,j), row shares p(i.) and column shares p(.j),
 * variance = (A + B - C) / (n (1 - pe)^2), where
 *   A = sum over i of p(i,i) (1 - (p(i.) + p(.i)) (1 - kappa))^2,
 *   B = (1 - kappa)^2 · sum over i and j other than i of p(i,j) (p(.i) + p(j.))^2,
 *   C = (kappa - pe (1 - kappa))^2.
 */
export interface Matrix {
  /** Bad, and flagged. */
  readonly caught: number;
  /** Bad, and passed: a missed failure. */
  readonly missed: number;
  /** Good, and flagged: a false rejection. */
  readonly rejected: number;
  /** Good, and passed. */
  readonly passed: number;
}

/** Under chance agreement 1 (all of one class on both sides) kappa has no value: `value`, `se`, `low` and `high` are null. */
export interface Kappa {
  readonly value: number | null;
  readonly se: number | null;
  /** 95 %, kept within -1 and 1. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** @throws RangeError on what are no counts */
export function cohenKappa({ caught, missed, rejected, passed }: Matrix): Kappa {
  const cells = [caught, missed, rejected, passed];
  if (!cells.every((cell) => Number.isSafeInteger(cell) && cell >= 0)) throw new RangeError(`no counts: ${cells.join(', ')}`);
  const n = caught + missed + rejected + passed;
  const [flaggedRow, passedRow] = [caught + rejected, missed + passed];
  const [badColumn, goodColumn] = [caught + missed, rejected + passed];
  // By the counts themselves, since the shares are rounded: one class on both sides.
  if (n === 0 || (flaggedRow === n && badColumn === n) || (passedRow === n && goodColumn === n)) {
    return { value: null, se: null, low: null, high: null, n };
  }
  const chance = (flaggedRow * badColumn + passedRow * goodColumn) / (n * n);
  const value = ((caught + passed) / n - chance) / (1 - chance);
  const rest = 1 - value;
  const a =
    (caught / n) * (1 - ((flaggedRow + badColumn) / n) * rest) ** 2 + (passed / n) * (1 - ((passedRow + goodColumn) / n) * rest) ** 2;
  const b = rest ** 2 * ((rejected / n) * ((badColumn + passedRow) / n) ** 2 + (missed / n) * ((goodColumn + flaggedRow) / n) ** 2);
  const c = (value - chance * rest) ** 2;
  const se = Math.sqrt(Math.max(0, a + b - c) / n) / (1 - chance);
  return { value, se, low: Math.max(-1, value - z95 * se), high: Math.min(1, value + z95 * se), n };
}
