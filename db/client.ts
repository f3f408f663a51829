import { connect as connectSocket, type Socket } from 'node:net';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import type { Database, Env } from '../server/platform';
import { beginSafely, type InTransaction } from './transaction';

export interface Client {
  readonly sql: Sql;
  readonly db: Database;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly max?: number;
  /**
   * Closes a connection that receives nothing for this long, in milliseconds, so that a lost
   * response causes an error and not a hang. The default is 1.5 times the server's statement
   * timeout; without that timeout it is disabled.
   */
  readonly silenceMs?: number;
  readonly name: string;
}

/**
 * Opens a pool on `env.databaseUrl`. Sets TCP_NODELAY on every socket, which postgres.js does not
 * (performance.md 6: without it, small statements wait 40 ms for a delayed acknowledgement).
 */
export function openClient(
  env: Pick<Env, 'databaseUrl' | 'queryTimeoutMs' | 'poolSize'>,
  options: ClientOptions,
): Client {
  const silenceMs = options.silenceMs ?? env.queryTimeoutMs * 1.5;
  const sql = postgres(env.databaseUrl, {
    max: options.max ?? env.poolSize,
    connect_timeout: 5,
    // Shorter than the silence limit, so that idle sockets are closed cleanly before it.
    idle_timeout: silenceMs > 0 ? Math.min(60, silenceMs / 2000) : 60,
    // The driver's own backoff grows to 20 s: it would notice late that a server has recovered, and
    // queries would hang until then.
    backoff: () => 0.1 + Math.random() * 0.1,
    onnotice: () => undefined,
    // The driver would query the array types once per connection, and an error in that query is an
    // unhandled rejection. Plain SQL therefore passes and reads arrays as JSON; drizzle has its own
    // codec.
    fetch_types: false,
    connection: {
      application_name: `assay ${options.name}`,
      statement_timeout: env.queryTimeoutMs,
      idle_in_transaction_session_timeout: env.queryTimeoutMs * 3,
      jit: false,
    },
    // The driver's connection for LISTEN has no idle timeout, and is normally silent.
    socket: (resolved: ResolvedOptions): Socket =>
      openSocket(resolved, resolved.idle_timeout === null ? 0 : silenceMs),
  } as Parameters<typeof postgres>[1] & { socket: unknown });
  const begin = sql.begin.bind(sql);
  const safely = (...args: unknown[]): Promise<unknown> =>
    beginSafely(begin, typeof args[0] === 'string' ? args[0] : '', args.at(-1) as InTransaction);
  Object.assign(sql, { begin: safely });
  return { sql, db: drizzle(sql) as unknown as Database, close: () => sql.end({ timeout: 5 }) };
}

/** The resolved options that postgres.js passes to its `socket` option. */
interface ResolvedOptions {
  readonly host: string[];
  readonly port: number[];
  readonly idle_timeout: number | null;
}

function openSocket(resolved: ResolvedOptions, silenceMs: number): Socket {
  const host = resolved.host[0] ?? 'localhost';
  const port = resolved.port[0] ?? 5432;
  const socket = host.startsWith('/')
    ? connectSocket(`${host}/.s.PGSQL.${port}`)
    : connectSocket({ host, port, noDelay: true, keepAlive: true });
  if (silenceMs > 0) destroyWhenSilent(socket, silenceMs);
  return socket;
}

/**
 * Destroys a socket that receives nothing for `silenceMs`. It takes two timeouts in a row. The
 * timer of a socket counts from the start of the current turn of the event loop, so after a long
 * computation it fires at once, even for a query that was just sent. By default the second part is
 * longer than the server's statement timeout.
 */
function destroyWhenSilent(socket: Socket, silenceMs: number): void {
  let readBefore = -1;
  socket.on('timeout', () => {
    if (socket.bytesRead === readBefore) {
      socket.destroy(new Error('no answer from PostgreSQL'));
      return;
    }
    readBefore = socket.bytesRead;
    socket.setTimeout((silenceMs * 5) / 6);
  });
  socket.setTimeout(silenceMs / 6);
}
