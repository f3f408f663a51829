import type { Bucket } from './spreads';

/** The summed counts of some days, per model and bucket. */
export type SpreadSums = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Cached sums of closed days. A verdict counts by the day on which it settled, which means that a
 * day no longer changes once every transaction that began on it has finished. The sums of those
 * days are read once and cached. This is the number of sums that the cache keeps, the most recently
 * used ones.
 */
const sumsMax = 300;
/**
 * This long after the end of a day, every transaction that began on it has finished, and the clocks
 * of all processes agree that the day is over.
 */
const closedAfterMs = 60 * 60_000;
const sums = new Map<string, SpreadSums>();

/** The first UTC day that may still change, for example `2026-11-23`. */
export function firstOpenDay(now: Date): string {
  return new Date(now.getTime() - closedAfterMs).toISOString().slice(0, 10);
}

/** The result of `read` for `key`; calls `read` only if the result is not cached. */
export async function closedSums(
  key: string,
  read: () => Promise<SpreadSums>,
): Promise<SpreadSums> {
  const cached = sums.get(key);
  if (cached !== undefined) {
    sums.delete(key);
    sums.set(key, cached);
    return cached;
  }
  const fresh = await read();
  if (sums.size >= sumsMax) sums.delete(sums.keys().next().value ?? '');
  sums.set(key, fresh);
  return fresh;
}

/** The total of several sums. */
export function addSums(parts: readonly SpreadSums[]): Map<string, Map<number, number>> {
  const all = new Map<string, Map<number, number>>();
  for (const part of parts) {
    for (const [model, counts] of part) {
      const sum = all.get(model) ?? new Map<number, number>();
      all.set(model, sum);
      for (const [bucket, count] of counts) sum.set(bucket, (sum.get(bucket) ?? 0) + count);
    }
  }
  return all;
}

export function bucketsOf(counts: ReadonlyMap<number, number>): Bucket[] {
  return [...counts].map(([bucket, count]) => ({ bucket, count }));
}
