import { drizzle } from 'drizzle-orm/postgres-js';
import type { Sql, TransactionSql } from 'postgres';
import type { Ctx, Database } from '../server/platform';
import { projectSetting, readRlsStatus, type RlsStatus, tenantRole } from './secure';
import { type InTransaction, isQuery, type LazyQuery } from './transaction';

type Connections = Pick<Ctx, 'sql' | 'db'>;

/**
 * The same connections restricted to one project. Each query runs in its own transaction, which
 * switches to the role `assay_app` and sets the project, so that row-level security applies
 * (db/secure.ts). Queries remain lazy and may be parts of others; `begin` starts a transaction with
 * the same restriction. Without row-level security, queries run unrestricted, as the log states at
 * startup.
 *
 * A query resolves after its commit. It takes three round trips: BEGIN, then the role and the query
 * together, then COMMIT. Cursors, and functions that would leave the transaction (`reserve`,
 * `listen`, `file`, `subscribe`), are refused.
 */
export function tenantClient(base: Connections, projectId: string): Connections {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(projectId)) throw new Error('no id of a project');
  let known = clients.get(base.sql);
  if (known === undefined) {
    known = new Map();
    clients.set(base.sql, known);
  }
  let client = known.get(projectId);
  if (client === undefined) {
    if (known.size >= clientsMax) known.delete(known.keys().next().value ?? '');
    const sql = tenantSql(base.sql, projectId);
    client = { sql, db: drizzle(sql) as unknown as Database };
    known.set(projectId, client);
  }
  return client;
}

/**
 * Clients are cached: they are small, but creating drizzle's client costs about as much as a query.
 */
const clientsMax = 1_000;
const clients = new WeakMap<Sql, Map<string, Connections>>();
const statuses = new WeakMap<Sql, { until: number; readonly status: Promise<RlsStatus> }>();

/**
 * How long a negative result is cached: a migration may enable row-level security in the meantime.
 */
const missingMs = 60_000;

/**
 * Whether row-level security is active on these connections; a positive result is cached
 * permanently.
 * @throws on storage faults
 */
export function findRlsStatus(sql: Sql): Promise<RlsStatus> {
  let found = statuses.get(sql);
  if (found === undefined || performance.now() > found.until) {
    const entry = { until: Number.POSITIVE_INFINITY, status: readRlsStatus(sql) };
    entry.status.then(
      ({ on }) => {
        if (!on) entry.until = performance.now() + missingMs;
      },
      () => statuses.delete(sql),
    );
    statuses.set(sql, entry);
    found = entry;
  }
  return found.status;
}

const refusedInProject = new Set<PropertyKey>([
  'reserve',
  'listen',
  'file',
  'subscribe',
  'end',
  'close',
  'CLOSE',
  'END',
  'largeObject',
]);

function refuse(): never {
  throw new Error("not for a project's connections");
}

function tenantSql(base: Sql, projectId: string): Sql {
  /** Called when the query is first awaited; never for a query that is only part of another. */
  const handler = (query: LazyQuery): void => {
    runQuery(base, projectId, query).then(
      (result) => query.resolve(result),
      (error: unknown) => query.reject(error),
    );
  };
  const guard = (query: unknown): unknown => {
    if (isQuery(query)) {
      query.handler = handler;
      query.canceller = null;
    }
    return query;
  };
  const call = base as unknown as (...args: unknown[]) => unknown;
  return new Proxy(base, {
    apply: (_target, _self, args: unknown[]) => guard(call(...args)),
    get(target, name, receiver) {
      if (refusedInProject.has(name)) return refuse;
      if (name === 'unsafe')
        return (...args: Parameters<Sql['unsafe']>) => guard(target.unsafe(...args));
      if (name === 'begin') return (...args: unknown[]) => begin(base, projectId, args);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}

async function runQuery(base: Sql, projectId: string, query: LazyQuery): Promise<unknown> {
  if (query.cursorFn !== undefined || query.forEachFn !== undefined)
    throw new Error('cursors need a transaction of their own');
  refuseUndefined(query.args);
  const status = await findRlsStatus(base);
  if (!status.on) return repeatQuery(base, query);
  const [, result] = await base.begin((tx) => [switchRole(tx, projectId), repeatQuery(tx, query)]);
  return result;
}

async function begin(base: Sql, projectId: string, args: readonly unknown[]): Promise<unknown> {
  const run = args.at(-1) as InTransaction;
  const status = await findRlsStatus(base);
  return base.begin(typeof args[0] === 'string' ? args[0] : '', async (tx) => {
    if (status.on) await switchRole(tx, projectId);
    const made = run(tx);
    return Array.isArray(made) ? Promise.all(made) : made;
  });
}

/** Switches to the role and sets the project until the transaction ends. */
function switchRole(tx: TransactionSql, projectId: string): Promise<unknown> {
  return tx`select set_config('role', ${tenantRole}, true), set_config(${projectSetting}, ${projectId}, true)`;
}

/** The same query on other connections. */
function repeatQuery(sql: Sql | TransactionSql, query: LazyQuery): Promise<unknown> {
  const call = sql as unknown as (
    strings: TemplateStringsArray,
    ...args: readonly unknown[]
  ) => LazyQuery;
  const made = query.tagged
    ? call(query.strings, ...query.args)
    : (sql.unsafe(
        query.strings[0] ?? '',
        [...query.args] as never[],
        query.options,
      ) as unknown as LazyQuery);
  if (query.tagged) Object.assign(made.options, query.options);
  if (query.isRaw === 'values') void made.values();
  else if (query.isRaw === true) void made.raw();
  return made;
}

/**
 * Refuses undefined values early: the driver detects them only while it writes the query, and then
 * confuses that query with another one in progress on the same connection.
 */
function refuseUndefined(args: readonly unknown[]): void {
  for (const arg of args) {
    if (arg === undefined)
      throw Object.assign(new Error('Undefined values are not allowed'), {
        code: 'UNDEFINED_VALUE',
      });
    if (isQuery(arg)) refuseUndefined(arg.args);
  }
}
