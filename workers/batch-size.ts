/** How many rows the next batch takes, by what the ones before it took. */
export interface BatchSize {
  next(): number;
  /** That a batch of so many rows took so long. */
  note(rows: number, ms: number): void;
}

export interface BatchSizeOptions {
  readonly least: number;
  readonly most: number;
  readonly first: number;
  /** So long the rows of a batch may take, in addition to a batch's fixed part. */
  readonly rowsMs: number;
}

/**
 * What an older batch still counts, from one to the next: the last twenty or so are what is known.
 */
const fading = 0.95;
/**
 * A batch that takes so many times what the line says is the first of another kind: what was known
 * of the old one is forgotten.
 */
const surprise = 2;
const leastRowMs = 0.01;
/**
 * Each so many-th batch is twice as large as it should be: batches of one size tell nothing of
 * another.
 */
const tryEvery = 8;

/**
 * A batch costs something whatever it holds (statements, and the disk at the commit), and something
 * for each row. Whose work arrives meanwhile waits for all of it (Q4), but only the rows' part gets
 * shorter with fewer rows: to take the whole for theirs would make batches ever smaller where the
 * disk is slow, and the lane with them. So both parts are told apart by a line through the batches
 * of late, each counting less than the next. A batch is at most twice as large as the one before,
 * and now and then twice as large to try it.
 */
export function createBatchSize({ least, most, first, rowsMs }: BatchSizeOptions): BatchSize {
  const floor = Math.min(least, most);
  let size = Math.min(most, first);
  let rowMs = Number.NaN;
  let batches = 0;
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
   * Milliseconds a row: the line's slope where the sizes of late differ enough to tell, and else as
   * it was, or all of the time.
   */
  function slope(): number {
    const meanRows = sums.rows / sums.weight;
    const meanMs = sums.ms / sums.weight;
    const spread = sums.rowsRows / sums.weight - meanRows * meanRows;
    const shared = sums.rowsMs / sums.weight - meanRows * meanMs;
    const whole = meanMs / meanRows;
    if (spread < (meanRows / 8) ** 2) return Number.isNaN(rowMs) ? whole : Math.min(rowMs, whole);
    return Math.min(whole, Math.max(leastRowMs, shared / spread));
  }

  return {
    next: () => size,
    note(rows, ms) {
      // One that was not full, and quick, says nothing about larger ones.
      if (rows === 0 || (rows < size && ms <= rowsMs)) return;
      if (isSurprising(rows, ms)) {
        Object.assign(sums, nothing);
        rowMs = Number.NaN;
      }
      add(rows, ms);
      rowMs = slope();
      const fitting = Math.round(rowsMs / Math.max(rowMs, leastRowMs));
      if (fitting > size && rows < size) return;
      const fit = Math.max(floor, Math.min(fitting, size * 2));
      size = Math.min(most, ++batches % tryEvery === 0 ? fit * 2 : fit);
    },
  };
}
