/**
 * Numbers sorted lazily: distributed into buckets by magnitude in two passes; a bucket is sorted
 * when a search first reaches it. A bucket is a 32nd of the range between two powers of two;
 * numbers beyond 2^±64 share the outermost ones. A few numbers form one bucket: tables of buckets
 * would cost more than they save.
 */
const STEPS_SHIFT = 15;
const SIDE = 4_096;
const BIAS = (1_023 - 64) << 5;
const MAGNITUDE = 0x7f_ff_ff_ff;
/** Longer buckets are sorted by the runtime. */
const INSERTION_MAX = 64;
const FEW = 128;

const one = new Float64Array(1);
const halves = new Int32Array(one.buffer);
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

export class NumberBuckets {
  /** The start of each bucket in `order`; the last entry is the end of the last bucket. */
  private readonly starts: Int32Array;
  private readonly order: Int32Array;
  private readonly sorted: Uint8Array;
  private readonly bucketOf: (float: number) => number;

  /** @param floats without NaN; their positions are the results */
  constructor(
    private readonly floats: Float64Array,
    count: number,
  ) {
    const isFew = count <= FEW;
    this.bucketOf = isFew ? () => 0 : bucketOf;
    if (isFew) {
      this.starts = Int32Array.of(0, count);
      this.sorted = new Uint8Array(1);
      this.order = Int32Array.from({ length: count }, (_, i) => i);
      return;
    }
    this.starts = new Int32Array(2 * SIDE + 1);
    this.sorted = new Uint8Array(2 * SIDE);
    const { starts } = this;
    const buckets = new Uint16Array(count);
    for (let i = 0; i < count; i++) {
      const bucket = bucketOf(floats[i] ?? 0);
      buckets[i] = bucket;
      starts[bucket + 1] = (starts[bucket + 1] ?? 0) + 1;
    }
    for (let bucket = 0; bucket < 2 * SIDE; bucket++)
      starts[bucket + 1] = (starts[bucket + 1] ?? 0) + (starts[bucket] ?? 0);
    this.order = new Int32Array(count);
    const next = starts.slice(0, 2 * SIDE);
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i] ?? 0;
      const at = next[bucket] ?? 0;
      this.order[at] = i;
      next[bucket] = at + 1;
    }
  }

  /**
   * Visits the positions of all numbers from `low` to `high` in ascending order, equal ones in
   * their order, until `visit` returns false.
   */
  between(low: number, high: number, visit: (position: number, float: number) => boolean): void {
    const last = this.bucketOf(high);
    for (let bucket = this.bucketOf(low); bucket <= last; bucket++) {
      const from = this.starts[bucket] ?? 0;
      const to = this.starts[bucket + 1] ?? 0;
      if (from === to) continue;
      if (this.sorted[bucket] === 0) this.sort(bucket, from, to);
      for (let at = this.firstAtLeast(low, from, to); at < to; at++) {
        const position = this.order[at] ?? 0;
        const float = this.floats[position] ?? 0;
        if (float > high || !visit(position, float)) return;
      }
    }
  }

  private firstAtLeast(low: number, start: number, end: number): number {
    let from = start;
    let to = end;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.floats[this.order[middle] ?? 0] ?? 0) < low) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  private sort(bucket: number, from: number, to: number): void {
    this.sorted[bucket] = 1;
    const { order, floats } = this;
    if (to - from > INSERTION_MAX) {
      const byFloat = (a: number, b: number): number =>
        (floats[a] ?? 0) - (floats[b] ?? 0) || a - b;
      // Numbers of one value are already in order, which saves a million comparisons.
      for (let at = from + 1; at < to; at++) {
        if (byFloat(order[at - 1] ?? 0, order[at] ?? 0) > 0) {
          order.subarray(from, to).sort(byFloat);
          return;
        }
      }
      return;
    }
    for (let at = from + 1; at < to; at++) {
      const position = order[at] ?? 0;
      const float = floats[position] ?? 0;
      let hole = at;
      for (; hole > from && (floats[order[hole - 1] ?? 0] ?? 0) > float; hole--)
        order[hole] = order[hole - 1] ?? 0;
      order[hole] = position;
    }
  }
}

/** Monotonic in the number. */
function bucketOf(float: number): number {
  // Negative zero counts as zero.
  one[0] = float + 0;
  const high = halves[HIGH] ?? 0;
  const step = Math.min(SIDE - 1, Math.max(0, ((high & MAGNITUDE) >> STEPS_SHIFT) - BIAS));
  return high < 0 ? SIDE - 1 - step : SIDE + step;
}
