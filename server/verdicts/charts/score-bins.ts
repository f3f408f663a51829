import { type Bucket, spreadOffset, spreadRatio } from '../spreads';

/** Scores from `low` up to but excluding `high`; the last bin includes its end. */
export interface ScoreBin {
  readonly low: number;
  readonly high: number;
  readonly count: number;
  /** The number of `count` with a failed verdict. */
  readonly failed: number;
  /** The number of `count` from days without separate counts of failures. */
  readonly unclassified: number;
}

const binCount = 20;

/**
 * The upper end of a bucket. Most scores are round numbers just below the end of their bucket: by
 * the middle of its bucket, a score of 0.7 would count as less than 0.7, on the wrong side of a
 * threshold.
 */
function endOfBucket(bucket: number): number {
  if (bucket === 0) return 0;
  return bucket > 0
    ? spreadRatio ** (bucket - spreadOffset)
    : -(spreadRatio ** (-bucket - 1 - spreadOffset));
}

/**
 * The end of the scale: the end of the thresholds' scale if there are thresholds, otherwise the
 * lowest power of ten, at least 1, that covers the scores.
 */
export function scaleOf(buckets: readonly Bucket[], max: number | null): number {
  if (max !== null) return max;
  const greatest = Math.max(0, ...buckets.map(({ bucket }) => endOfBucket(bucket)));
  if (greatest <= spreadRatio) return 1;
  return 10 ** Math.ceil(Math.log10(greatest / spreadRatio));
}

/**
 * Twenty bins of equal width from 0 to `most`; scores outside the range count in the first or last
 * bin. A score may count up to 4% of its value too high, the precision of its bucket, and so in
 * the next bin. Pure.
 */
export function scoreBins(
  max: number,
  {
    all,
    failed,
    unclassified,
  }: {
    readonly all: readonly Bucket[];
    readonly failed: readonly Bucket[];
    readonly unclassified: readonly Bucket[];
  },
): ScoreBin[] {
  const width = max / binCount;
  const counted = (buckets: readonly Bucket[]): number[] => {
    const counts = Array.from({ length: binCount }, () => 0);
    for (const { bucket, count } of buckets) {
      const at = Math.min(
        binCount - 1,
        Math.max(0, Math.floor(endOfBucket(bucket) / width + 1e-9)),
      );
      counts[at] = (counts[at] ?? 0) + count;
    }
    return counts;
  };
  const [counts, failures, others] = [counted(all), counted(failed), counted(unclassified)];
  return counts.map((count, at) => ({
    low: at * width,
    high: (at + 1) * width,
    count,
    failed: failures[at] ?? 0,
    unclassified: others[at] ?? 0,
  }));
}
