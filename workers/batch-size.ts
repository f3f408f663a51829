/** Chooses the size of the next batch from the durations of the previous ones. */
export interface BatchSize {
  next(): number;
  /** Records that a batch of `rows` rows took `ms`. */
  note(rows: number, ms: number): void;
}

export interface BatchSizeOptions {
  readonly min: number;
  readonly max: number;
  readonly first: number;
  /** Target duration of a batch's rows, on top of the fixed cost of a batch. */
  readonly rowsMs: number;
}

/** Decay of the weight of older batches: about the last twenty have an effect. */
const fading = 0.95;
/**
 * Two batches in a row that take this many times the predicted duration start a new regime, and the
 * history is dropped. One alone waited for something else, such as a new connection: it has no
 * information about rows.
 */
const surprise = 2;
const minRowMs = 0.01;
/** Every n-th batch has twice the chosen size: a line needs batches of different sizes. */
const tryEvery = 8;

/**
 * A batch has a fixed cost (statements, and the disk at the commit) and a cost per row. Work that
 * arrives during a batch waits for all of it (Q4), but a smaller batch shortens only the time spent
 * on its rows. Attributing the whole duration to the rows would make batches ever smaller on a slow
 * disk, and slow the whole lane. Therefore a line fitted through recent batches separates the two
 * parts; older batches weigh less. The chosen size at most doubles from batch to batch. Every n-th
 * batch is a probe with twice the chosen size (`tryEvery`).
 */
export function createBatchSize({ min, max, first, rowsMs }: BatchSizeOptions): BatchSize {
  const floor = Math.min(min, max);
  let size = Math.min(max, first);
  let rowMs = Number.NaN;
  let batches = 0;
  let isSurprised = false;
  const nothing = { weight: 0, rows: 0, ms: 0, rowsRows: 0, rowsMs: 0 };
  const sums = { ...nothing };

  function add(rows: number, ms: number): void {
    sums.weight = sums.weight * fading + 1;
    sums.rows = sums.rows * fading + rows;
    sums.ms = sums.ms * fading + ms;
    sums.rowsRows = sums.rowsRows * fading + rows * rows;
    sums.rowsMs = sums.rowsMs * fading + rows * ms;
  }

  function isSurprising(rows: number, ms: number): boolean {
    const expected = sums.ms / sums.weight + (rows - sums.rows / sums.weight) * rowMs;
    return ms > rowsMs && ms > surprise * expected;
  }

  /**
   * Milliseconds per row: the slope of the line if recent sizes differ enough to fit one; otherwise
   * the last slope, or the whole duration if there is none.
   */
  function slope(): number {
    const meanRows = sums.rows / sums.weight;
    const meanMs = sums.ms / sums.weight;
    const spread = sums.rowsRows / sums.weight - meanRows * meanRows;
    const shared = sums.rowsMs / sums.weight - meanRows * meanMs;
    const meanPerRow = meanMs / meanRows;
    if (spread < (meanRows / 8) ** 2)
      return Number.isNaN(rowMs) ? meanPerRow : Math.min(rowMs, meanPerRow);
    return Math.min(meanPerRow, Math.max(minRowMs, shared / spread));
  }

  return {
    next: () => size,
    note(rows, ms) {
      // A fast partial batch has no information about larger ones.
      if (rows === 0 || (rows < size && ms <= rowsMs)) return;
      const wasSurprised = isSurprised;
      isSurprised = isSurprising(rows, ms);
      if (isSurprised) {
        if (!wasSurprised) return;
        Object.assign(sums, nothing);
        rowMs = Number.NaN;
      }
      add(rows, ms);
      rowMs = slope();
      const fitting = Math.round(rowsMs / Math.max(rowMs, minRowMs));
      if (fitting > size && rows < size) return;
      const fit = Math.max(floor, Math.min(fitting, size * 2));
      size = Math.min(max, ++batches % tryEvery === 0 ? fit * 2 : fit);
    },
  };
}
