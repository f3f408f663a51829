import type { Bucket } from './spreads';

/** Counts of some days added up, by model. */
export type SpreadSums = ReadonlyMap<string, ReadonlyMap<number, number>>;

/**
 * What was read of days that are over. A verdict counts by the day on which it settled, so that
 * nothing is added to a day once every transaction that began in it has ended; what such days add
 * up to is read once and kept. Of the sums that were asked for last so many stay.
 */
const sumsMost = 300;
/**
 * By then every transaction that began on a day has ended, and the clocks of all processes agree
 * that it is over.
 */
const closedAfterMs = 60 * 60_000;
const sums = new Map<string, SpreadSums>();

/** The first day that may still change, as `2026-11-23`: UTC. */
export function firstOpenDay(now: Date): string {
  return new Date(now.getTime() - closedAfterMs).toISOString().slice(0, 10);
}

/** What `read` gives for `key`, asked once while it is among those that are kept. */
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
  if (sums.size >= sumsMost) sums.delete(sums.keys().next().value ?? '');
  sums.set(key, made);
  return made;
}

/** Several sums as one. */
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
