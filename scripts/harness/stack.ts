import type { Sql } from 'postgres';
import { createTestDatabase, createTestProject, createTestRuntime, type TestDatabase } from '../../db/testing';
import { createKey, type ProjectCtx } from '../../server/access';
import type { Runtime } from '../../server/runtime';
import { endAll } from './processes';
import { until } from './until';

/** A database with one project, a key for it, and the variables that its processes need. */
export interface Stack {
  readonly database: TestDatabase;
  readonly runtime: Runtime;
  readonly project: ProjectCtx;
  readonly key: string;
  readonly sql: Sql;
  readonly variables: Readonly<Record<string, string>>;
  /** Resolves when nothing waits any more in the whole database. */
  drained(timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export async function createStack(serverUrl: string, variables: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const database = await createTestDatabase(serverUrl);
  const runtime = createTestRuntime(database.url, variables);
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, { name: 'harness', scopes: ['ingest', 'verify', 'read', 'write'] });
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
      await until(
        'no work waits',
        async () => {
          const [row] = await sql`select count(*)::int as n from work where state = 'waiting'`;
          return row?.n === 0 ? true : null;
        },
        timeoutMs,
      );
    },
    async close() {
      await endAll();
      await runtime.close();
      await database.drop();
    },
  };
}

/** Long forms run when `ASSAY_LONG=1` (`npm run test:long`). */
export const long = process.env.ASSAY_LONG === '1';

/** A turn with one figure that its source has and one that it has not. */
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
