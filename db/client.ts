import { connect as connectSocket, type Socket } from 'node:net';
import { drizzle } from 'drizzle-orm/postgres-js';
import postgres, { type Sql } from 'postgres';
import type { Database, Env } from '../server/platform';

export interface Client {
  readonly sql: Sql;
  readonly db: Database;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly max?: number;
  /** A connection silent for so long in the middle of a query is cut, so that a lost answer is an error and not a hang. */
  readonly silenceMs?: number;
  readonly name: string;
}

/**
 * A pool on `env.databaseUrl`. Every socket has TCP_NODELAY, which postgres.js does not set
 * (performance.md 6: small statements otherwise wait 40 ms for a delayed acknowledgement).
 */
export function openClient(env: Pick<Env, 'databaseUrl' | 'queryTimeoutMs' | 'poolSize'>, options: ClientOptions): Client {
  const sql = postgres(env.databaseUrl, {
    max: options.max ?? env.poolSize,
    connect_timeout: 5,
    idle_timeout: 60,
    onnotice: () => undefined,
    connection: {
      application_name: `assay ${options.name}`,
      statement_timeout: env.queryTimeoutMs,
      idle_in_transaction_session_timeout: env.queryTimeoutMs * 3,
      jit: false,
    },
    socket: (resolved: { host: string[]; port: number[] }): Socket => openSocket(resolved, options.silenceMs),
  } as Parameters<typeof postgres>[1] & { socket: unknown });
  return { sql, db: drizzle(sql) as unknown as Database, close: () => sql.end({ timeout: 5 }) };
}

function openSocket(resolved: { host: string[]; port: number[] }, silenceMs: number | undefined): Socket {
  const host = resolved.host[0] ?? 'localhost';
  const port = resolved.port[0] ?? 5432;
  const socket = host.startsWith('/')
    ? connectSocket(`${host}/.s.PGSQL.${port}`)
    : connectSocket({ host, port, noDelay: true, keepAlive: true });
  if (silenceMs !== undefined) socket.setTimeout(silenceMs, () => socket.destroy(new Error('no answer from PostgreSQL')));
  return socket;
}
