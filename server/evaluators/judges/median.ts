/**
 * The median: the middle value, or the mean of the two in the middle. The list need not be sorted.
 * @throws RangeError on an empty list
 */
export function medianOf(values: readonly number[]): number {
  const ordered = values.toSorted((a, b) => a - b);
  const half = ordered.length >> 1;
  const [low, high] = [ordered[ordered.length % 2 === 0 ? half - 1 : half], ordered[half]];
  if (low === undefined || high === undefined) throw new RangeError('an empty list has no median');
  return (low + high) / 2;
}
