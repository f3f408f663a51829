import type { Sql, TransactionSql } from 'postgres';
import { classifyStorageError } from '../server/platform';

/**
 * A query of postgres.js as far as `db/` uses its internals: 3.4, pinned; tenant.int.test.ts covers
 * every used member. It is sent when it is first awaited, by `handler`; one that is only part of
 * another query never gets there.
 */
export interface LazyQuery extends Promise<unknown> {
  readonly tagged: boolean;
  readonly strings: TemplateStringsArray;
  readonly args: readonly unknown[];
  readonly options: Record<string, unknown>;
  readonly isRaw?: boolean | 'values';
  readonly cursorFn?: unknown;
  readonly forEachFn?: unknown;
  handler: (query: LazyQuery) => void;
  canceller: null | (() => void);
  resolve(value: unknown): void;
  reject(error: unknown): void;
  values(): LazyQuery;
  raw(): LazyQuery;
}

export function isQuery(made: unknown): made is LazyQuery {
  return made instanceof Promise && 'handler' in made && 'strings' in made;
}

/** The body of a transaction; queries given as a list are sent together. */
export type InTransaction = (tx: TransactionSql) => unknown;

/**
 * `sql.begin` for connections that may be lost: the driver would send its ROLLBACK to a closed
 * socket, which ends the process. Here a transaction whose connection is lost sends nothing more,
 * and fails with the driver's CONNECTION_CLOSED.
 */
export function beginSafely(
  begin: Sql['begin'],
  options: string,
  run: InTransaction,
): Promise<unknown> {
  const state: Loss = { lost: false };
  const whole = begin(options, (tx) => runUntilLost(tx, state, run)) as Promise<unknown>;
  return whole.catch((error: unknown) => {
    state.lost = true;
    throw error;
  });
}

async function runUntilLost(tx: TransactionSql, state: Loss, run: InTransaction): Promise<unknown> {
  try {
    const made = run(watched(tx, state));
    const result: unknown = await (Array.isArray(made) ? Promise.all(made) : made);
    return state.lost ? await forever() : result;
  } catch (error) {
    if (state.lost) return forever();
    throw error;
  }
}

interface Loss {
  lost: boolean;
}

/**
 * The driver rejects the whole transaction as soon as it has noticed the loss; until then it must
 * not continue.
 */
function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/** The transaction's connection, watched for its loss. */
function watched(tx: TransactionSql, state: Loss): TransactionSql {
  const watch = (made: unknown): unknown => {
    if (!isQuery(made)) return made;
    const send = made.handler;
    made.handler = (query) => {
      if (state.lost) {
        query.reject(
          Object.assign(new Error('the connection of this transaction is lost'), {
            code: 'CONNECTION_CLOSED',
          }),
        );
        return;
      }
      query.catch((error: unknown) => {
        if (isLoss(error)) state.lost = true;
      });
      send(query);
    };
    return made;
  };
  const call = tx as unknown as (...args: unknown[]) => unknown;
  return new Proxy(tx, {
    apply: (_target, _self, args: unknown[]) => watch(call(...args)),
    get(target, name, receiver) {
      if (name === 'unsafe')
        return (...args: Parameters<Sql['unsafe']>) => watch(target.unsafe(...args));
      if (name === 'savepoint') {
        return (...args: unknown[]) => {
          const run = args.at(-1) as InTransaction;
          const inner = (point: TransactionSql): unknown => runUntilLost(point, state, run);
          return typeof args[0] === 'string'
            ? target.savepoint(args[0], inner)
            : target.savepoint(inner);
        };
      }
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

/** An error of the driver or the socket, not of PostgreSQL: the latter requires a ROLLBACK. */
function isLoss(error: unknown): boolean {
  if (error instanceof Error && error.name === 'PostgresError') return false;
  return classifyStorageError(error) === 'transient';
}
