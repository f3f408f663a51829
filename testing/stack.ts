import type { Sql } from 'postgres';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from './database';
import { createKey, type ProjectCtx } from '../server/access';
import type { Runtime } from '../server/runtime';
import { endAll, describeProcesses } from './processes';
import { until } from './until';

/** A database with one project, a key for it, and the variables that its processes need. */
export interface Stack {
  readonly database: TestDatabase;
  readonly runtime: Runtime;
  readonly project: ProjectCtx;
  readonly key: string;
  readonly sql: Sql;
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when the whole database has no waiting work. */
  drained(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export async function createStack(
  serverUrl: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<Stack> {
  const database = await createTestDatabase(serverUrl);
  const runtime = createTestRuntime(database.url, variables);
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, {
    name: 'harness',
    scopes: ['ingest', 'verify', 'read', 'write', 'impersonate'],
  });
  const { sql } = runtime.ctx;
  return {
    database,
    runtime,
    project,
    key,
    sql,
    variables: {
      DATABASE_URL: database.url,
      ASSAY_SECRET: 'test-secret-test-secret-test-secret',
      ASSAY_LOG_LEVEL: 'warn',
      ASSAY_DB_POOL: '4',
      ...variables,
    },
    async drained(timeoutMs = 60_000) {
      const idle = async (): Promise<true | null> => {
        const [row] = await sql`select count(*)::int as n from work where state = 'waiting'`;
        return row?.n === 0 ? true : null;
      };
      await until('no work waits', idle, timeoutMs).catch(async (error: unknown) => {
        throw new Error(
          `${(error as Error).message}; waiting: ${await describePendingWork(sql)}\n${describeProcesses()}`,
          { cause: error },
        );
      });
    },
    async close() {
      await endAll();
      await runtime.close();
      await database.drop();
    },
  };
}

/**
 * The waiting work, counted by reason, and the database server's activity, for the message of a
 * test that timed out.
 */
async function describePendingWork(sql: Sql): Promise<string> {
  const work = await sql`
    select lane, owner, attempts, deaths, reason, round(extract(epoch from min(due_at) - now())) as due_in_s, count(*)::int as n
    from work where state = 'waiting' group by lane, owner, attempts, deaths, reason order by n desc limit 12`;
  const backends = await sql`
    select application_name as name, state, wait_event as waits_for, round(extract(epoch from now() - query_start)) as for_s, left(query, 80) as query
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  return JSON.stringify({ work, backends });
}

/** Long forms run when `ASSAY_LONG=1` (`npm run test:long`). */
export const long = process.env.ASSAY_LONG === '1';

/** A turn with one sourced and one unsourced figure. */
export function sampleTurn(
  id: string,
  more: Readonly<Record<string, unknown>> = {},
): { readonly id: string; readonly [member: string]: unknown } {
  return {
    id,
    model: 'openai/gpt-4o',
    output: 'The disk of web-1 is at 91.4% and 77 GB are free.',
    tools: [{ id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } }],
    ...more,
  };
}
