import type { Sql, TransactionSql } from 'postgres';
import { classifyStorageError } from '../server/platform';

/**
 * The internals of a postgres.js query that `db/` uses, of the pinned version 3.4;
 * tenant.int.test.ts covers every member used. `handler` sends the query when it is first awaited;
 * it is never called for a query that is only part of another.
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

export function isQuery(value: unknown): value is LazyQuery {
  return value instanceof Promise && 'handler' in value && 'strings' in value;
}

/** The body of a transaction; queries in an array are sent together. */
export type InTransaction = (tx: TransactionSql) => unknown;

/**
 * `sql.begin` for connections that may be lost: the driver would send ROLLBACK to the closed
 * socket, which crashes the process. With this function, a transaction whose connection is lost
 * sends nothing more, and fails with the driver's CONNECTION_CLOSED.
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
 * Never resolves: the driver rejects the whole transaction once it notices the loss, and the
 * transaction must not continue until then.
 */
function forever(): Promise<never> {
  return new Promise(() => undefined);
}

/** The transaction, with queries that detect the loss of its connection. */
function watched(tx: TransactionSql, state: Loss): TransactionSql {
  const watch = (value: unknown): unknown => {
    if (!isQuery(value)) return value;
    const send = value.handler;
    value.handler = (query) => {
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
    return value;
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

/**
 * Whether an error comes from the driver or the socket, not from PostgreSQL, whose errors require a
 * ROLLBACK.
 */
function isLoss(error: unknown): boolean {
  if (error instanceof Error && error.name === 'PostgresError') return false;
  return classifyStorageError(error) === 'transient';
}
