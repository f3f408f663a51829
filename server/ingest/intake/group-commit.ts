import { type Ctx, storeBisecting, unavailable } from '../../platform';
import { createIntakeQueue } from './intake-queue';

/**
 * Group commit: rows that arrive during a commit go into the next one; at most two commits are in
 * flight; callers get their result after the commit (performance.md 5, item 4). Projects take
 * turns, so that one project with much input delays no other.
 */
export interface GroupCommit<Row, Result> {
  /**
   * @throws AssayError unavailable (not stored, or unknown: send again), rate_limited (this project
   *   sends too much)
   */
  write(rows: readonly Row[]): Promise<Result[]>;
}

export interface GroupCommitOptions<Row, Result> {
  readonly projectOf: (row: Row) => string;
  /** Of rows with the same key only the first is stored. */
  readonly keyOf: (row: Row) => string;
  readonly bytesOf: (row: Row) => number;
  /**
   * Stores rows of distinct keys, in one global order: two commits with the same rows wait for each
   * other instead of deadlocking. `lane` distinguishes commits in flight; `isQuiet`: no other is in
   * flight and nothing waits. @throws errors of PostgreSQL
   */
  readonly store: (
    rows: readonly Row[],
    at: { readonly lane: number; readonly isQuiet: boolean },
  ) => Promise<readonly Result[]>;
  /** The result of a second row with the same key. */
  readonly repeat: (row: Row, first: Row, result: Result) => Result;
  /** The result of a row that PostgreSQL does not accept. */
  readonly refuse: (row: Row, error: unknown) => Result;
}

interface Waiting<Row, Result> {
  readonly row: Row;
  readonly done: (result: Result) => void;
  readonly failed: (error: Error) => void;
}

const batchRows = 2_000;
const batchBytes = 8 * 1024 * 1024;
const lanes = 2;
/**
 * A parallel commit costs the fixed part of its statement (0.4 ms, and 0.05 per row), and both
 * commits contend for the indexes. A second one pays off with this many waiting rows, or when the
 * other commit waits for a lock or the disk.
 */
const besideRows = 64;
const besideBytes = 1024 * 1024;
const slowCommitMs = 25;
export function createGroupCommit<Row, Result>(
  ctx: Pick<Ctx, 'log' | 'clock'>,
  options: GroupCommitOptions<Row, Result>,
): GroupCommit<Row, Result> {
  const line = createIntakeQueue<Waiting<Row, Result>>();
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  let lastBegan = Number.NEGATIVE_INFINITY;

  function mayBegin(): boolean {
    const waits = line.size();
    if (waits.rows === 0) return false;
    if (free.length === lanes || waits.rows >= besideRows || waits.bytes >= besideBytes)
      return true;
    return ctx.clock.monotonicMs() - lastBegan >= slowCommitMs;
  }

  function pump(): void {
    while (mayBegin()) {
      const lane = free.pop();
      if (lane === undefined) return;
      lastBegan = ctx.clock.monotonicMs();
      const slow = setTimeout(pump, slowCommitMs + 1);
      const batch = line.take({ rows: batchRows, bytes: batchBytes });
      void commitBatch(ctx, options, batch, {
        lane,
        isQuiet: line.size().rows === 0 && free.length === lanes - 1,
      }).finally(() => {
        clearTimeout(slow);
        free.push(lane);
        pump();
      });
    }
  }

  return {
    async write(rows) {
      const [first] = rows;
      if (first === undefined) return [];
      line.admit(options.projectOf(first));
      const results = rows.map(
        (row) =>
          new Promise<Result>((done, failed) =>
            line.add(options.projectOf(row), { row, done, failed }, options.bytesOf(row)),
          ),
      );
      setImmediate(pump); // requests that arrived together share a commit
      return Promise.all(results);
    },
  };
}

/** Commits a batch. Never throws: each waiter gets its own result. */
async function commitBatch<Row, Result>(
  ctx: Pick<Ctx, 'log'>,
  options: GroupCommitOptions<Row, Result>,
  batch: readonly Waiting<Row, Result>[],
  at: { readonly lane: number; readonly isQuiet: boolean },
): Promise<void> {
  const firsts = new Map<string, Waiting<Row, Result>>();
  const repeats: {
    readonly waiting: Waiting<Row, Result>;
    readonly first: Waiting<Row, Result>;
  }[] = [];
  for (const waiting of batch) {
    const key = options.keyOf(waiting.row);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, waiting);
    else repeats.push({ waiting, first });
  }
  const results = new Map<Waiting<Row, Result>, Result>();
  try {
    const ordered = [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, waiting]) => waiting);
    await storeOneByOne(ctx, options, ordered, at, results);
  } catch (error) {
    ctx.log.warn({ err: error, rows: batch.length }, 'intake not stored');
    const failure = unavailable('storage is not available at the moment; send the request again');
    for (const waiting of batch) waiting.failed(failure);
    return;
  }
  for (const [waiting, result] of results) waiting.done(result);
  for (const { waiting, first } of repeats) {
    const result = results.get(first);
    if (result === undefined) waiting.failed(unavailable('the row was not stored; send it again'));
    else waiting.done(options.repeat(waiting.row, first.row, result));
  }
}

/** A row that PostgreSQL refuses gets a refusal as its result. @throws on storage faults */
async function storeOneByOne<Row, Result>(
  ctx: Pick<Ctx, 'log'>,
  options: GroupCommitOptions<Row, Result>,
  rows: readonly Waiting<Row, Result>[],
  at: { readonly lane: number; readonly isQuiet: boolean },
  results: Map<Waiting<Row, Result>, Result>,
): Promise<void> {
  await storeBisecting(
    rows,
    async (part) => {
      const stored = await options.store(
        part.map(({ row }) => row),
        at,
      );
      part.forEach((waiting, index) => {
        const result = stored[index];
        if (result === undefined) throw new Error('a stored row has no result');
        results.set(waiting, result);
      });
    },
    (only, error) => {
      ctx.log.error(
        { err: error, project: options.projectOf(only.row) },
        'a row of the intake was refused by PostgreSQL',
      );
      results.set(only, options.refuse(only.row, error));
    },
  );
}
