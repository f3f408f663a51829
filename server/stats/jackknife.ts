import { type Estimated, estimated } from './intervals';

/**
 * The delete-a-group jackknife (Quenouille 1956, Tukey 1958; of groups: Kott 2001). It deals the
 * items into G groups, computes the statistic with each group omitted, and Var = (G − 1)/G · Σ
 * (θ₍g₎ − mean θ)². The interval is ± 1.96 standard errors. Use it for statistics that are too
 * expensive to resample thousands of times (`bca`): it computes them G + 1 times.
 */
const groups = 30;
/**
 * Maximum number of items used. Of more items it uses an evenly spread selection of this size and
 * scales the standard error, which falls as 1/√n, to the full number.
 */
const itemsMax = 1000;

/**
 * Null with fewer than two items, and if the statistic has no value for all items or without one of
 * the groups.
 */
export function jackknife<T>(
  items: readonly T[],
  statistic: (sample: readonly T[]) => number | null,
  {
    min = Number.NEGATIVE_INFINITY,
    max = Number.POSITIVE_INFINITY,
  }: { min?: number; max?: number } = {},
): Estimated | null {
  const n = items.length;
  const value = statistic(items);
  if (value === null || n < 2) return null;
  const part =
    n <= itemsMax
      ? items
      : Array.from({ length: itemsMax }, (_, at) => items[Math.floor((at * n) / itemsMax)] as T);
  const g = Math.min(groups, part.length);
  const left = Array.from({ length: g }, (_, group) =>
    statistic(part.filter((_item, at) => at % g !== group)),
  );
  const known = left.filter((one) => one !== null);
  if (known.length < g) return null;
  const mean = known.reduce((sum, one) => sum + one, 0) / g;
  const variance = ((g - 1) / g) * known.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return estimated(value, Math.sqrt((variance * part.length) / n), min, max);
}
