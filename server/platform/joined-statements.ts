import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from './context';
import { storeBisecting } from './store-bisecting';

type Reach = Pick<Ctx, 'sql'>;

interface Waiting<C, Row, Result> {
  readonly ctx: C;
  readonly row: Row;
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
}

interface Line<C, Row, Result> {
  readonly waiting: Waiting<C, Row, Result>[];
  /** A statement runs, or the pause after it. */
  isBusy: boolean;
}

/**
 * Joins statements of one row into statements of many. Rows that arrive in one turn of the event
 * loop, or while a statement runs, share the next one. So a single row does not wait, and many at
 * once cost little. Connections are not mixed. Resolves when the row is stored or read; a row that
 * PostgreSQL refuses affects no other.
 * @param store stores or reads rows, all or none, and returns a result for each
 * @param restMs pause after a statement, in which more rows gather; a row that comes after it does
 * not wait
 * @param rowsMax maximum number of rows in a statement
 * @returns a function that rejects with the error of `store`
 */
export function joinStatements<C extends Reach, Row, Result = void>(
  store: (ctx: C, rows: readonly Row[]) => Promise<readonly Result[]>,
  { restMs = 0, rowsMax = 100 }: { readonly restMs?: number; readonly rowsMax?: number } = {},
): (ctx: C, row: Row) => Promise<Result> {
  const lines = new WeakMap<Ctx['sql'], Line<C, Row, Result>>();

  async function drain(line: Line<C, Row, Result>): Promise<void> {
    line.isBusy = true;
    await nextTurn();
    while (line.waiting.length > 0) {
      await storeBatch(store, line.waiting.splice(0, rowsMax));
      if (restMs > 0) await pause(restMs);
    }
    line.isBusy = false;
  }

  return (ctx, row) =>
    new Promise<Result>((done, failed) => {
      const line = lines.get(ctx.sql) ?? { waiting: [], isBusy: false };
      lines.set(ctx.sql, line);
      line.waiting.push({ ctx, row, done, failed });
      if (!line.isBusy) void drain(line);
    });
}

/** Never throws: each waiter gets its own result. */
async function storeBatch<C extends Reach, Row, Result>(
  store: (ctx: C, rows: readonly Row[]) => Promise<readonly Result[]>,
  batch: readonly Waiting<C, Row, Result>[],
): Promise<void> {
  try {
    await storeBisecting(
      batch,
      async (part) => {
        const [first] = part;
        if (first === undefined) return;
        const results = await store(
          first.ctx,
          part.map(({ row }) => row),
        );
        part.forEach(({ done }, at) => done(results[at] as Result));
      },
      ({ failed }, error) => failed(error),
    );
  } catch (error) {
    // Those that were stored before are already resolved.
    for (const { failed } of batch) failed(error);
  }
}
