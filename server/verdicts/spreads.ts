/**
 * A spread counts values in buckets whose ends have a fixed ratio (DDSketch; Masson, Rim and Lee,
 * VLDB 2019). A percentile computed from it is off by at most (ratio - 1) / (ratio + 1) of its
 * value, here 1.96%. Positive values have buckets from 1, zero has bucket 0, and negative values
 * have negative buckets.
 */
export const spreadRatio = 1.04;
/**
 * The bucket that ends at 1. Absolute values below `ratio ** -offset`, 9e-18, count as that value,
 * and those above its reciprocal count as the reciprocal.
 */
export const spreadOffset = 1_000;

/** The representative value of a bucket, which has the same relative distance to both ends. */
export function valueOfBucket(bucket: number): number {
  if (bucket === 0) return 0;
  const upper = spreadRatio ** (Math.abs(bucket) - spreadOffset);
  return (Math.sign(bucket) * 2 * upper) / (spreadRatio + 1);
}

/** The settling statement computes the same in SQL (settle-spreads.ts). */
export function bucketOf(value: number): number {
  if (value === 0) return 0;
  const bucket = Math.ceil(Math.log(Math.abs(value)) / Math.log(spreadRatio)) + spreadOffset;
  return Math.sign(value) * Math.min(Math.max(bucket, 1), 2 * spreadOffset);
}

/** The ends of the score scales, by their bucket. */
const scoreEnds: ReadonlyMap<number, number> = new Map([1, 100].map((end) => [bucketOf(end), end]));

/**
 * The representative value of a bucket of scores. In the bucket that contains the end of a scale,
 * most scores equal that end, and none exceeds it: the function returns the end instead of the
 * middle of the bucket. A score between 0.9615 and 1 may therefore be reported up to 4% too high;
 * scores of other buckets stay within 2%.
 */
export function scoreOfBucket(bucket: number): number {
  return scoreEnds.get(bucket) ?? valueOfBucket(bucket);
}

export interface Bucket {
  readonly bucket: number;
  readonly count: number;
}

/** The number of values and their percentiles, which are null if there are no values. */
export interface Spread {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/**
 * The percentiles: the ordered value at position `ceil(share * n)`.
 * @param buckets in any order
 * @param valueOf `scoreOfBucket` for scores
 */
export function spreadOf(buckets: readonly Bucket[], valueOf = valueOfBucket): Spread {
  const sorted = buckets.filter(({ count }) => count > 0).sort((a, b) => a.bucket - b.bucket);
  const n = sorted.reduce((sum, { count }) => sum + count, 0);
  const at = (share: number): number | null => {
    const place = Math.ceil(share * n);
    let before = 0;
    for (const { bucket, count } of sorted) {
      before += count;
      if (before >= place) return valueOf(bucket);
    }
    return null;
  };
  return { n, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
