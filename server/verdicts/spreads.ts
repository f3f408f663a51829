/**
 * A spread counts values in buckets whose ends stand in a fixed ratio (as DDSketch does, Masson,
 * Rim and Lee, VLDB 2019): a percentile read from it is off by at most (ratio - 1) / (ratio + 1) of
 * its value, here 1.96 %. Positive values have the buckets 1 and above, 0 has bucket 0, negative
 * values have those below.
 */
export const spreadRatio = 1.04;
/**
 * Of the bucket that ends at 1. Smaller values than `ratio ** -offset`, 9e-18, count as that,
 * larger ones than its reciprocal as that.
 */
export const spreadOffset = 1_000;

/**
 * The value that stands for a bucket: the one from which both its ends are equally far, as a share
 * of themselves.
 */
export function valueOfBucket(bucket: number): number {
  if (bucket === 0) return 0;
  const upper = spreadRatio ** (Math.abs(bucket) - spreadOffset);
  return (Math.sign(bucket) * 2 * upper) / (spreadRatio + 1);
}

/** As the settling statement tells it, in SQL (settle-spreads.ts). */
export function bucketOf(value: number): number {
  if (value === 0) return 0;
  const bucket = Math.ceil(Math.log(Math.abs(value)) / Math.log(spreadRatio)) + spreadOffset;
  return Math.sign(value) * Math.min(Math.max(bucket, 1), 2 * spreadOffset);
}

/** Where the scales of scores end. */
const scoreEnds: ReadonlyMap<number, number> = new Map([1, 100].map((end) => [bucketOf(end), end]));

/**
 * Of scores. In the bucket that holds the end of a scale most are that end, which no score passes:
 * it is told in place of the value between both ends. A score between 0.9615 and 1 may so be told
 * up to 4 % too high, one of any other bucket stays within 2 %.
 */
export function scoreOfBucket(bucket: number): number {
  return scoreEnds.get(bucket) ?? valueOfBucket(bucket);
}

export interface Bucket {
  readonly bucket: number;
  readonly count: number;
}

/** Values whose percentiles are known; all null where there are none. */
export interface Spread {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

/**
 * Of the values in order the one at `ceil(share * n)`. @param buckets in any order @param valueOf
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
