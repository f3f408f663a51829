import { binomialTerm } from './distributions';
import { type Estimated, estimated } from './intervals';
import { fitLinearHc3 } from './regression';

/**
 * Probes of one evaluator version (calibration.md 5.8): whether it repeats itself, and whether it
 * judges by the position, the length or the author of an answer instead of the answer. Flip rate: 1
 * − mean n_majority/R. Self-agreement: share of pairs of repeats that agree, mean over items.
 * ICC(2,k) (Shrout and Fleiss 1979): (MS_rows − MS_error)/(MS_rows + (MS_columns − MS_error)/n).
 * Means over items, with the items' spread.
 */

/**
 * @param repeats a row per item with the result of each repeat; omits items with fewer than two,
 *   and returns null if none is left
 */
export function flipRate(
  repeats: readonly (readonly string[])[],
): (Estimated & { readonly n: number }) | null {
  return meanOf(repeats, (counts, n) => 1 - Math.max(...counts) / n);
}

/** Like `flipRate`. */
export function selfAgreement(
  repeats: readonly (readonly string[])[],
): (Estimated & { readonly n: number }) | null {
  return meanOf(
    repeats,
    (counts, n) => counts.reduce((sum, count) => sum + count * (count - 1), 0) / (n * (n - 1)),
  );
}

function meanOf(
  repeats: readonly (readonly string[])[],
  of: (counts: readonly number[], n: number) => number,
): (Estimated & { readonly n: number }) | null {
  const values = repeats
    .filter((row) => row.length > 1)
    .map((row) => {
      const counts = new Map<string, number>();
      for (const answer of row) counts.set(answer, (counts.get(answer) ?? 0) + 1);
      return of([...counts.values()], row.length);
    });
  const n = values.length;
  if (n === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, n - 1);
  return { ...estimated(mean, Math.sqrt(variance / n), 0, 1), n };
}

/**
 * Standard deviation of numeric repeats within an item: √ of the mean variance. Null if no item has
 * two repeats.
 */
export function withinItemDeviation(repeats: readonly (readonly number[])[]): number | null {
  const variances = repeats
    .filter((row) => row.length > 1)
    .map((row) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
      return row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (row.length - 1);
    });
  return variances.length === 0
    ? null
    : Math.sqrt(variances.reduce((sum, one) => sum + one, 0) / variances.length);
}

/**
 * ICC(2,k) of the mean of all columns. Null with fewer than two rows or columns, or if all ratings
 * are equal.
 * @param ratings a row per item, all of the same length
 */
export function icc2k(ratings: readonly (readonly number[])[]): number | null {
  const n = ratings.length;
  const k = ratings[0]?.length ?? 0;
  if (n < 2 || k < 2 || ratings.some((row) => row.length !== k)) return null;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const grandMean = mean(ratings.flat());
  const rows = ratings.map(mean);
  const columns = Array.from({ length: k }, (_, j) => mean(ratings.map((row) => row[j] ?? 0)));
  const ofRows = (k * rows.reduce((sum, one) => sum + (one - grandMean) ** 2, 0)) / (n - 1);
  const ofColumns = (n * columns.reduce((sum, one) => sum + (one - grandMean) ** 2, 0)) / (k - 1);
  const rest = ratings.reduce(
    (sum, row, i) =>
      sum +
      row.reduce(
        (part, value, j) => part + (value - (rows[i] ?? 0) - (columns[j] ?? 0) + grandMean) ** 2,
        0,
      ),
    0,
  );
  const error = rest / ((n - 1) * (k - 1));
  const under = ofRows + (ofColumns - error) / n;
  return under <= 0 ? null : (ofRows - error) / under;
}

/**
 * Two-sided p value: the total probability of all counts that are not likelier than `k`, X ~ Bin(n,
 * share). Null if n is 0.
 */
export function exactBinomial(k: number, n: number, share = 0.5): number | null {
  if (!Number.isSafeInteger(k) || !Number.isSafeInteger(n) || k < 0 || k > n)
    throw new RangeError(`no count of ${k} in ${n}`);
  if (n === 0) return null;
  // Terms that differ only by rounding count as no likelier.
  const bound = binomialTerm(k, n, share) * (1 + 1e-9);
  let p = 0;
  for (let i = 0; i <= n; i++) {
    const term = binomialTerm(i, n, share);
    if (term <= bound) p += term;
  }
  return Math.min(1, p);
}

export interface BiasRow {
  readonly flagged: boolean;
  readonly bad: boolean;
  /**
   * Properties that should not affect the verdict: ln of the length, or 1 if the answer is of the
   * judge's own family.
   */
  readonly terms: readonly number[];
}

/**
 * Regression of the signed error f − y on the terms with HC3 standard errors: the γ of
 * calibration.md 5.8, in shares per unit of the term.
 */
export function linearBiasHc3(rows: readonly BiasRow[]): Estimated[] | null {
  return (
    fitLinearHc3(
      rows.map(({ flagged, bad, terms }) => ({ terms, y: (flagged ? 1 : 0) - (bad ? 1 : 0) })),
    )?.slice(1) ?? null
  );
}
