import { classifyStorageError, type Ctx, rateLimited, unavailable } from '../platform';

/**
 * Group commit: all that arrives while a commit runs goes into the next one; at most two commits are in flight; callers hear
 * after the commit (performance.md 5, item 4). Projects take turns, so that one that sends much delays no other.
 */
export interface GroupCommit<Row, Result> {
  /** @throws AssayError unavailable (nothing stored, or not known: send again), rate_limited (this project alone sends too much) */
  write(rows: readonly Row[]): Promise<Result[]>;
  /** Rows and bytes that wait for a commit. */
  readonly waiting: () => { readonly rows: number; readonly bytes: number };
}

export interface GroupCommitOptions<Row, Result> {
  readonly projectOf: (row: Row) => string;
  /** Two rows with one key go to SQL once. */
  readonly keyOf: (row: Row) => string;
  readonly bytesOf: (row: Row) => number;
  /**
   * Stores rows of distinct keys, in one order everywhere: two commits with the same rows wait for each other instead of deadlocking.
   * `lane` tells commits in flight apart; `isQuiet`: no other is in flight and nothing waits. @throws whatever PostgreSQL says
   */
  readonly store: (rows: readonly Row[], at: { readonly lane: number; readonly isQuiet: boolean }) => Promise<readonly Result[]>;
  /** What a second row of the same key hears. */
  readonly repeat: (row: Row, first: Row, result: Result) => Result;
  /** What the one row hears that PostgreSQL does not take. */
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
/** Over this the door answers 503 with Retry-After: memory stays bounded, and what waits waits about a second (I6). */
const waitingBytesMax = 64 * 1024 * 1024;
/** One project may take so much of it while others wait too; its own requests beyond are 429. */
const projectShare = 0.5;

export function createGroupCommit<Row, Result>(ctx: Pick<Ctx, 'log'>, options: GroupCommitOptions<Row, Result>): GroupCommit<Row, Result> {
  const queues = new Map<string, { readonly items: Waiting<Row, Result>[]; next: number; bytes: number }>();
  const free = Array.from({ length: lanes }, (_, lane) => lane);
  let waitingRows = 0;
  let waitingBytes = 0;

  /** One row of each project in turn, until the batch is full. */
  function takeBatch(): Waiting<Row, Result>[] {
    const batch: Waiting<Row, Result>[] = [];
    let bytes = 0;
    while (queues.size > 0 && batch.length < batchRows && (batch.length === 0 || bytes < batchBytes)) {
      for (const [project, queue] of queues) {
        const item = queue.items[queue.next++];
        if (item !== undefined) {
          const size = options.bytesOf(item.row);
          batch.push(item);
          bytes += size;
          queue.bytes -= size;
        }
        if (queue.next >= queue.items.length) queues.delete(project);
        if (batch.length >= batchRows || bytes >= batchBytes) break;
      }
    }
    waitingRows -= batch.length;
    waitingBytes -= bytes;
    return batch;
  }

  function pump(): void {
    while (waitingRows > 0) {
      const lane = free.pop();
      if (lane === undefined) return;
      const batch = takeBatch();
      void commitBatch(ctx, options, batch, { lane, isQuiet: waitingRows === 0 && free.length === lanes - 1 }).finally(() => {
        free.push(lane);
        pump();
      });
    }
  }

  function admit(project: string): void {
    if (waitingBytes > waitingBytesMax) throw unavailable('more arrives than can be stored; send it again later', 1);
    const own = queues.get(project)?.bytes ?? 0;
    if (queues.size > 1 && own > waitingBytesMax * projectShare) throw rateLimited('this project sends more than its share', 1);
  }

  return {
    waiting: () => ({ rows: waitingRows, bytes: waitingBytes }),
    async write(rows) {
      const [first] = rows;
      if (first === undefined) return [];
      admit(options.projectOf(first));
      const results = rows.map(
        (row) =>
          new Promise<Result>((done, failed) => {
            const project = options.projectOf(row);
            const size = options.bytesOf(row);
            const queue = queues.get(project) ?? { items: [], next: 0, bytes: 0 };
            queues.set(project, queue);
            queue.items.push({ row, done, failed });
            queue.bytes += size;
            waitingRows++;
            waitingBytes += size;
          }),
      );
      setImmediate(pump); // requests that arrived together share a commit
      return Promise.all(results);
    },
  };
}

/** Commits a batch. Never throws: each waiter hears its own end. */
async function commitBatch<Row, Result>(
  ctx: Pick<Ctx, 'log'>,
  options: GroupCommitOptions<Row, Result>,
  batch: readonly Waiting<Row, Result>[],
  at: { readonly lane: number; readonly isQuiet: boolean },
): Promise<void> {
  const firsts = new Map<string, Waiting<Row, Result>>();
  const repeats: { readonly waiting: Waiting<Row, Result>; readonly first: Waiting<Row, Result> }[] = [];
  for (const waiting of batch) {
    const key = options.keyOf(waiting.row);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, waiting);
    else repeats.push({ waiting, first });
  }
  const results = new Map<Waiting<Row, Result>, Result>();
  try {
    const ordered = [...firsts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, waiting]) => waiting);
    await storeApart(ctx, options, ordered, at, results);
  } catch (error) {
    ctx.log.warn({ err: error, rows: batch.length }, 'intake not stored');
    const failure = unavailable('storage is not available now; send it again');
    for (const waiting of batch) waiting.failed(failure);
    return;
  }
  for (const [waiting, result] of results) waiting.done(result);
  for (const { waiting, first } of repeats) {
    const result = results.get(first);
    if (result === undefined) waiting.failed(unavailable('a row has no result'));
    else waiting.done(options.repeat(waiting.row, first.row, result));
  }
}

/** Stores rows, halving around one that PostgreSQL refuses, so that its neighbours live. @throws on faults of storage */
async function storeApart<Row, Result>(
  ctx: Pick<Ctx, 'log'>,
  options: GroupCommitOptions<Row, Result>,
  rows: readonly Waiting<Row, Result>[],
  at: { readonly lane: number; readonly isQuiet: boolean },
  results: Map<Waiting<Row, Result>, Result>,
  tries = 0,
): Promise<void> {
  if (rows.length === 0) return;
  try {
    const stored = await options.store(
      rows.map((waiting) => waiting.row),
      at,
    );
    rows.forEach((waiting, index) => {
      const result = stored[index];
      if (result === undefined) throw new Error('a stored row has no result');
      results.set(waiting, result);
    });
  } catch (error) {
    const fault = classifyStorageError(error);
    if (fault === 'retry' && tries < 3) return storeApart(ctx, options, rows, at, results, tries + 1);
    if (fault !== 'data') throw error;
    const [only] = rows;
    if (rows.length === 1 && only !== undefined) {
      ctx.log.error({ err: error, project: options.projectOf(only.row) }, 'a row of the intake was refused by PostgreSQL');
      results.set(only, options.refuse(only.row, error));
      return;
    }
    const middle = rows.length >> 1;
    await storeApart(ctx, options, rows.slice(0, middle), at, results);
    await storeApart(ctx, options, rows.slice(middle), at, results);
  }
}
