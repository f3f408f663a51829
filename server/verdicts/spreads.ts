/**
 * A spread counts values in buckets whose ends have a fixed ratio (as DDSketch, Masson, Rim and
 * Lee, VLDB 2019): a percentile read from it is off by at most (ratio - 1) / (ratio + 1) of its
 * value, here 1.96 %. Positive values have the buckets 1 and above, 0 has bucket 0, negative values
 * have the buckets below.
 */
export const spreadRatio = 1.04;
/**
 * Of the bucket that ends at 1. Smaller values than `ratio ** -offset`, 9e-18, count as that,
 * larger ones than its reciprocal as that.
 */
export const spreadOffset = 1_000;

/** The representative value of a bucket: its relative distance to both ends is the same. */
export function valueOfBucket(bucket: number): number {
  if (bucket === 0) return 0;
  const upper = spreadRatio ** (Math.abs(bucket) - spreadOffset);
  return (Math.sign(bucket) * 2 * upper) / (spreadRatio + 1);
}

/** As computed by the settling statement in SQL (settle-spreads.ts). */
export function bucketOf(value: number): number {
  if (value === 0) return 0;
  const bucket = Math.ceil(Math.log(Math.abs(value)) / Math.log(spreadRatio)) + spreadOffset;
  return Math.sign(value) * Math.min(Math.max(bucket, 1), 2 * spreadOffset);
}

/** Where the scales of scores end. */
const scoreEnds: ReadonlyMap<number, number> = new Map([1, 100].map((end) => [bucketOf(end), end]));

/**
 * For scores. In the bucket with the end of a scale most scores equal that end, which none exceeds:
 * the end is reported instead of the value between both ends. A score between 0.9615 and 1 may
 * therefore be reported up to 4 % too high; scores of other buckets stay within 2 %.
 */
export function scoreOfBucket(bucket: number): number {
  return scoreEnds.get(bucket) ?? valueOfBucket(bucket);
}

export interface Bucket {
  readonly bucket: number;
  readonly count: number;
}

/** Values with known percentiles; all null if there are none. */
export interface Spread {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/**
 * Of the ordered values the one at `ceil(share * n)`. @param buckets in any order @param valueOf
 * `scoreOfBucket` for scores
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
