import type { Bucket } from './spreads';

/** Summed counts of some days, by model. */
export type SpreadSums = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * Cached sums of closed days. A verdict counts by the day on which it settled, so that a day no
 * longer changes once every transaction that began in it has ended; the sums of such days are read
 * once and cached. The cache keeps this many of the most recently used sums.
 */
const sumsMax = 300;
/**
 * After this time every transaction that began on a day has ended, and the clocks of all processes
 * agree that the day is over.
 */
const closedAfterMs = 60 * 60_000;
const sums = new Map<string, SpreadSums>();

/** The first day that may still change, as `2026-11-23`: UTC. */
export function firstOpenDay(now: Date): string {
  return new Date(now.getTime() - closedAfterMs).toISOString().slice(0, 10);
}

/** The result of `read` for `key`, read once while it is cached. */
export async function closedSums(
  key: string,
  read: () => Promise<SpreadSums>,
): Promise<SpreadSums> {
  const kept = sums.get(key);
  if (kept !== undefined) {
    sums.delete(key);
    sums.set(key, kept);
    return kept;
  }
  const made = await read();
  if (sums.size >= sumsMax) sums.delete(sums.keys().next().value ?? '');
  sums.set(key, made);
  return made;
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
