import { type Matrix, wilson, z95 } from '../domain';

/**
 * The agreement of two or more raters beyond chance (calibration.md 5.2). In words: `bandOf` of the
 * domain.
 *
 * Cohen 1960: κ = (po − pe) / (1 − pe), pe = Σ p(k.)·p(.k). Its standard error is that of Fleiss,
 * Cohen and Everitt 1969, for κ other than 0: with cell shares p(i,j), row shares p(i.) and column
 * shares p(.j), variance = (A + B − C) / (n (1 − pe)²), where
 *   A = Σ_i p(i,i) (1 − (p(i.) + p(.i)) (1 − κ))²,
 *   B = (1 − κ)² · Σ_{i≠j} p(i,j) (p(.i) + p(j.))²,
 *   C = (κ − pe (1 − κ))².
 * Gwet 2008, AC1: pe = 2q(1 − q), q the mean of the two shares of bad. Krippendorff 2004: α = 1 −
 * Do/De over pairs of ratings of one item, each item's pairs weighted by 1/(m_u − 1); any number of
 * raters, missing ratings allowed.
 */
export interface Kappa {
  /**
   * All four are null without pairs, and if the chance agreement is 1, that is if both sides have
   * only one class.
   */
  readonly value: number | null;
  readonly se: number | null;
  /** 95%, clipped to −1 and 1. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** Agreement of the machine with the truth. @throws RangeError on invalid counts */
export function cohenKappa({ caught, missed, rejected, passed }: Matrix): Kappa {
  return kappaOfTable([
    [caught, rejected],
    [missed, passed],
  ]);
}

/** Agreement of two raters who assigned each item one of any number of classes. */
export function categoricalKappa(pairs: readonly (readonly [string, string])[]): Kappa {
  const at = new Map([...new Set(pairs.flat())].map((name, i) => [name, i]));
  const table = Array.from({ length: at.size }, () => new Array<number>(at.size).fill(0));
  for (const [one, other] of pairs) {
    const row = table[at.get(one) ?? 0];
    const column = at.get(other) ?? 0;
    if (row) row[column] = (row[column] ?? 0) + 1;
  }
  return kappaOfTable(table);
}

/**
 * @param table square: counts of items by the class of one rater (row) and of the other (column)
 * @throws RangeError on invalid counts
 */
function kappaOfTable(table: readonly (readonly number[])[]): Kappa {
  const { n, rows, columns } = marginsOf(table);
  const none = { value: null, se: null, low: null, high: null, n };
  // Checks the counts, since the shares are rounded: both sides have only one class.
  if (n === 0 || rows.some((row, k) => row === n && columns[k] === n)) return none;
  const chance = rows.reduce((sum, row, k) => sum + row * (columns[k] ?? 0), 0) / (n * n);
  const same = table.reduce((sum, row, k) => sum + (row[k] ?? 0), 0) / n;
  const value = (same - chance) / (1 - chance);
  const rest = 1 - value;
  let [a, b] = [0, 0];
  for (const [i, row] of table.entries()) {
    for (const [j, count] of row.entries()) {
      const share = count / n;
      if (i === j) a += share * (1 - (((rows[i] ?? 0) + (columns[i] ?? 0)) / n) * rest) ** 2;
      else b += share * rest ** 2 * (((columns[i] ?? 0) + (rows[j] ?? 0)) / n) ** 2;
    }
  }
  const c = (value - chance * rest) ** 2;
  const se = Math.sqrt(Math.max(0, a + b - c) / n) / (1 - chance);
  // If all ratings agree, or one rater uses a single class, the formula's error is 0 for any n.
  // Wilson's interval of the share of agreement replaces it.
  if (se < 1e-9) {
    const { low, high } = wilson(
      table.reduce((sum, row, k) => sum + (row[k] ?? 0), 0),
      n,
    );
    return {
      value,
      se,
      low: Math.max(-1, (low - chance) / (1 - chance)),
      high: (high - chance) / (1 - chance),
      n,
    };
  }
  return { value, se, low: Math.max(-1, value - z95 * se), high: Math.min(1, value + z95 * se), n };
}

function marginsOf(table: readonly (readonly number[])[]): {
  n: number;
  rows: number[];
  columns: number[];
} {
  const cells = table.flat();
  if (!cells.every((cell) => Number.isSafeInteger(cell) && cell >= 0))
    throw new RangeError(`no counts: ${cells.join(', ')}`);
  if (table.some((row) => row.length !== table.length))
    throw new RangeError('the table is not square');
  const rows = table.map((row) => row.reduce((sum, cell) => sum + cell, 0));
  const columns = table.map((_, j) => table.reduce((sum, row) => sum + (row[j] ?? 0), 0));
  return { n: rows.reduce((sum, row) => sum + row, 0), rows, columns };
}

/** Null without items. */
export function gwetAc1({ caught, missed, rejected, passed }: Matrix): number | null {
  const n = caught + missed + rejected + passed;
  if (n === 0) return null;
  const bad = (caught + missed + caught + rejected) / (2 * n);
  const chance = 2 * bad * (1 - bad);
  return ((caught + passed) / n - chance) / (1 - chance);
}

type Rating = number | string;

/**
 * Null if no item has two ratings, or if all ratings are equal.
 * @param units a row per item with a rating per rater, null if missing; `ordinal` and `interval`
 * require numbers, nominal accepts any value
 * @param times how often each row counts; omitted means once
 */
export function krippendorffAlpha(
  units: readonly (readonly (Rating | null)[])[],
  level: 'nominal' | 'ordinal' | 'interval',
  times?: readonly number[],
): number | null {
  const paired = units
    .map((unit, row) => ({
      ratings: unit.filter((rating) => rating !== null),
      weight: times === undefined ? 1 : (times[row] ?? 0),
    }))
    .filter(({ ratings, weight }) => ratings.length > 1 && weight > 0);
  const values = [...new Set(paired.flatMap(({ ratings }) => ratings))].sort((a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : 0,
  );
  if (
    level !== 'nominal' &&
    !values.every((value) => typeof value === 'number' && Number.isFinite(value))
  ) {
    throw new RangeError(`ratings of ${level} level are numbers`);
  }
  const at = new Map(values.map((value, i) => [value, i]));
  const totals = new Array<number>(values.length).fill(0);
  for (const { ratings, weight } of paired) {
    for (const rating of ratings)
      totals[at.get(rating) ?? 0] = (totals[at.get(rating) ?? 0] ?? 0) + weight;
  }
  const n = totals.reduce((sum, total) => sum + total, 0);
  const apart = distances(values, totals, level);
  const distance = (i: number, j: number): number => apart[i]?.[j] ?? 0;
  let observed = 0;
  for (const { ratings, weight } of paired) {
    const counts = new Map<number, number>();
    for (const rating of ratings)
      counts.set(at.get(rating) ?? 0, (counts.get(at.get(rating) ?? 0) ?? 0) + 1);
    for (const [i, one] of counts)
      for (const [j, other] of counts)
        observed += (weight * one * other * distance(i, j)) / (ratings.length - 1);
  }
  let expected = 0;
  for (const [i, one] of totals.entries())
    for (const [j, other] of totals.entries()) expected += one * other * distance(i, j);
  return expected === 0 ? null : 1 - ((n - 1) * observed) / expected;
}

/**
 * Squared distances. Nominal: 0 or 1. Ordinal: based on the number of ratings in between, where
 * each end counts half. Interval: based on the difference.
 */
function distances(
  values: readonly Rating[],
  totals: readonly number[],
  level: 'nominal' | 'ordinal' | 'interval',
): number[][] {
  const below = totals.map(
    (total, i) => totals.slice(0, i).reduce((sum, one) => sum + one, 0) + total / 2,
  );
  return values.map((one, i) =>
    values.map((other, j) => {
      if (level === 'nominal') return i === j ? 0 : 1;
      return level === 'ordinal'
        ? ((below[i] ?? 0) - (below[j] ?? 0)) ** 2
        : (Number(one) - Number(other)) ** 2;
    }),
  );
}
