import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../scripts/data-dir.mjs';
import { findFreePort } from '../scripts/postgres.mjs';
import { compareRows, type TableRule } from '../testing/compare-rows';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, createLedger, type Ledger } from '../testing/ledger';
import {
  insertOldKey,
  listTables,
  readRows,
  restoreUnmigrated,
  type Row,
  type Table,
} from '../testing/old-database';
import { bundleOf, endAll, startProcess, startWorker } from '../testing/processes';
import { sampleTurn } from '../testing/stack';
import { until } from '../testing/until';
import { knownMigrations } from './migrate';

// The database of the first release, from a dump that this release wrote (testing/dumps/README.md),
// is upgraded while clients retry: on the old schema the edge exits without acknowledging anything.

const dump = join(root, 'testing', 'dumps', 'first.backup.gz');

/** Tables that are empty in the dump: the comparison of rows proves nothing about them. */
const emptyTables = [
  'alert_events alert_looks alert_rules alert_states anchor_items anchor_results anchor_runs',
  'anchor_sets auth_sessions auth_verifications dead_letters deletions deliveries export_parts',
  'foreign_scores gateway_breakers gateway_calls gateway_counters gateway_days gateway_rollups',
  'idempotency_keys job_files judge_cache label_policies notices probe_answers probe_runs',
  'retention_settings review_cursors review_items review_settings rule_spending saved_views',
  'schedule_periods setup_hidden sign_in_tries tombstones trust_changes trust_settings',
  'trust_states turn_originals turn_versions work_attempts worker_boxes',
].flatMap((names) => names.split(' '));

/** Columns of the first release that a later one removed on purpose, as `table.column`: reason. */
const removedColumns: Readonly<Record<string, string>> = {};

/** Columns of work and jobs that a worker changes when it claims and finishes them. */
const claimed = ['attempts', 'due_at', 'fence', 'owner', 'reason', 'state'];
/** Counts of a day or an hour; `closeLedger` compares those of verdicts with the verdicts. */
const counts: TableRule = { isGrowing: true, addedBy: null };
/**
 * The tables to which traffic and the worker write. Any other table keeps its number of rows, and
 * any column that is not listed here keeps its values.
 */
const writtenTables: Readonly<Record<string, TableRule>> = {
  ...Object.fromEntries(
    [
      'alert_events',
      'alert_looks',
      'alert_states',
      'deliveries',
      'notices',
      'review_cursors',
      'review_items',
      'schedule_periods',
      'trust_changes',
      'trust_states',
      'work_attempts',
      'worker_boxes',
      // A report of the schedule, if one has become due since the dump.
      'reports',
    ].map((table) => [table, { addedBy: null }]),
  ),
  api_keys: { changing: ['last_used_at'] },
  audit_events: { addedBy: 'target' },
  decision_rollups: counts,
  decisions: { addedBy: 'subject_id' },
  intake_rollups: counts,
  integrity_rollups: counts,
  jobs: {
    changing: [
      ...claimed,
      'cursor',
      'done',
      'error_count',
      'errors',
      'finished_at',
      'result',
      'total',
    ],
    addedBy: null,
  },
  judgement_accounts: counts,
  judgement_dues: { isFinishing: true, addedBy: null },
  judgement_rollups: counts,
  // The review queue draws a sample of old answers too.
  judgements: { changing: ['probability'], addedBy: null },
  labels: { addedBy: 'subject_id' },
  llm_calls: { addedBy: 'verdict_id' },
  scores: { addedBy: 'verdict_id' },
  turns: { addedBy: 'id' },
  verdict_hours: counts,
  verdict_populations: counts,
  verdict_rollups: counts,
  verdict_spreads: counts,
  verdicts: { addedBy: 'subject_id' },
  // The test of pending work checks that no row is lost.
  work: {
    changing: [...claimed, 'deaths', 'hinted_at', 'lane', 'priority'],
    isFinishing: true,
    addedBy: null,
  },
};

interface OldTable extends Table {
  readonly rows: readonly Row[];
}

let admin: Sql;
let sql: Sql;
let name: string;
let url: string;
let projectId: string;
let key: string;
let old: readonly OldTable[];
let edgeUrl: string;
let ledgers: readonly Ledger[];
const edgeExits: { readonly code: number; readonly output: string }[] = [];
const variables = (): Record<string, string> => ({
  DATABASE_URL: url,
  ASSAY_SECRET: 'test-secret-test-secret-test-secret',
  ASSAY_LOG_LEVEL: 'warn',
  ASSAY_DB_POOL: '4',
});

beforeAll(async () => {
  admin = postgres(inject('databaseUrl'), { max: 2, onnotice: () => undefined });
  name = `t_${randomBytes(6).toString('hex')}`;
  await admin.unsafe(`create database ${name}`);
  url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
  sql = postgres(url, { max: 2, onnotice: () => undefined });
  expect(await restoreUnmigrated(dump, url, sql)).toBe(10);
  const [project] = await sql<{ id: string }[]>`select id from projects where slug = 'ops'`;
  projectId = project?.id ?? '';
  key = await insertOldKey(sql, projectId);
  const tables = await listTables(sql);
  old = await Promise.all(
    tables.map(async (table) => ({ ...table, rows: await readRows(sql, table) })),
  );
  await upgradeUnderTraffic();
}, 600_000);

afterAll(async () => {
  await endAll();
  await sql.end();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

/** An edge that exits is restarted, as the product's start and an orchestrator do. */
async function superviseEdge(port: number): Promise<void> {
  const own = { ...variables(), ASSAY_EDGE_PORT: String(port) };
  for (;;) {
    const edge = await startProcess('edge', own);
    const exited = edge.exited.then((code) => ({ code, output: edge.output() }));
    const serves = until('the edge serves', async () => {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      return ready?.status === 200 ? true : null;
    });
    const exit = await Promise.race([serves, exited]);
    if (exit === true) return;
    edgeExits.push(exit);
    serves.catch(() => undefined);
  }
}

/** Sends batches until the signal aborts. */
async function sendBatches(ledger: Ledger, label: string, stop: AbortSignal): Promise<void> {
  for (let batch = 0; !stop.aborted; batch++) {
    await ledger.postUntilAcked(
      Array.from({ length: 5 }, (_, at) => sampleTurn(`${label}-${batch}-${at}`)),
      240_000,
    );
    await delay(200);
  }
}

/**
 * Clients send from before the migration until the worker has stored verdicts of their turns. On
 * the old schema the edge exits, so clients only retry; no process writes during the migration.
 */
async function upgradeUnderTraffic(): Promise<void> {
  // Building a bundle later would delay its process until the traffic has ended.
  await Promise.all((['edge', 'migrate', 'worker'] as const).map(bundleOf));
  const port = await findFreePort();
  edgeUrl = `http://127.0.0.1:${port}`;
  ledgers = Array.from({ length: 3 }, () => createLedger({ url: edgeUrl, key }));
  const stop = new AbortController();
  const clients = ledgers.map((ledger, at) => sendBatches(ledger, `new-${at}`, stop.signal));
  const lock = await sql.reserve();
  await lock.unsafe(
    `select pg_advisory_lock(hashtextextended('assay migrations ' || current_database(), 0))`,
  );
  const edge = superviseEdge(port);
  const migration = await startProcess('migrate', variables());
  await until('an edge exited on the old schema, and each client was refused', () =>
    edgeExits.length > 0 && ledgers.every(({ statuses }) => statuses.size > 0) ? true : null,
  );
  expect(ledgers.map(({ acked }) => acked.size)).toEqual([0, 0, 0]);
  await lock.unsafe(`select pg_advisory_unlock_all()`);
  lock.release();
  expect([await migration.exited, migration.output()]).toEqual([
    0,
    expect.stringContaining(`applied ${knownMigrations() - 10} migration`) as string,
  ]);
  await startWorker(variables());
  await edge;
  await until('each client is acknowledged, and has a verdict', async () => {
    const verified = await sql<{ id: string }[]>`
      select subject_id as id from verdicts where project_id = ${projectId}`;
    const ids = new Set(verified.map((row) => row.id));
    return ledgers.every(({ acked }) => acked.size >= 20 && [...acked].some((id) => ids.has(id)))
      ? true
      : null;
  });
  stop.abort();
  await Promise.all(clients);
  // Work for a judge or a sandbox may wait longer, since neither is available.
  await until(
    'each turn has its verdict',
    async () => ((await readBalance()).withoutVerdict.length === 0 ? true : null),
    240_000,
  );
}

const oldRows = (table: string): Row['values'][] =>
  old.find((each) => each.name === table)?.rows.map(({ values }) => values) ?? [];

const oldTurns = (): string[] => oldRows('turns').map(({ id }) => String(id));

function readBalance(): ReturnType<typeof closeLedger> {
  return closeLedger(sql, projectId, {
    sent: new Set([...oldTurns(), ...ledgers.flatMap((ledger) => [...ledger.sent])]),
    acked: new Set([...oldTurns(), ...ledgers.flatMap((ledger) => [...ledger.acked])]),
    faults: ledgers.flatMap((ledger) => ledger.faults),
  });
}

test('an upgrade of the first release while clients retry: each acknowledged turn is stored once, and has its verdict', async () => {
  // The edge exits on the old schema: no client is acknowledged before or during the migration.
  for (const exit of edgeExits)
    expect(exit).toEqual({
      code: 1,
      output: expect.stringMatching(/edge: the database lacks \d+ migration\(s\): run/) as string,
    });
  const balance = await readBalance();
  expect(balance).toMatchObject(clean);
  const statuses = new Set(ledgers.flatMap((ledger) => [...ledger.statuses.keys()]));
  expect([...statuses].filter((status) => ![0, 202, 429, 503].includes(status))).toEqual([]);
  reportFigure('upgrade of the first release', {
    'old turns': oldTurns().length,
    'new turns': balance.acked - oldTurns().length,
    refusals: ledgers.reduce(
      (sum, { statuses: each }) => sum + (each.get(503) ?? 0) + (each.get(0) ?? 0),
      0,
    ),
  });
});

test('the dump of the first release has rows in every table but these', () => {
  expect(old.filter(({ rows }) => rows.length === 0).map((table) => table.name)).toEqual(
    emptyTables,
  );
});

async function compareTables(): Promise<string[]> {
  const today = new Map((await listTables(sql)).map((table) => [table.name, table]));
  const ids = new Set(
    ['turns', 'subjects', 'verdicts'].flatMap((table) => oldRows(table).map(({ id }) => id)),
  );
  // The worker adds rows about subjects whose work was pending.
  const pending = new Set(oldRows('work').flatMap((row) => [row.id, row.subject_id]));
  const finished = new Set([...ids].filter((id) => !pending.has(id)));
  const faults: string[] = [];
  for (const { rows: before, ...table } of old) {
    const now = today.get(table.name);
    if (now === undefined) {
      faults.push(`${table.name}: the table is missing`);
      continue;
    }
    const columns = table.columns.filter(
      (column) => removedColumns[`${table.name}.${column}`] === undefined,
    );
    const kept = columns.filter((column) => now.columns.includes(column));
    const after = await readRows(sql, { ...table, columns: kept });
    faults.push(
      ...compareRows(
        { table: { ...table, columns }, before, after, columns: kept },
        writtenTables[table.name] ?? {},
        table.name === 'turns' ? ids : finished,
      ),
    );
  }
  return faults;
}

test('an upgrade of the first release loses, doubles and changes no row', async () => {
  expect(await compareTables()).toEqual([]);
});

test('work that was pending before an upgrade of the first release is pending or has its verdict', async () => {
  const rows = await sql<{ id: string }[]>`
    select id from work where project_id = ${projectId}
    union all select id from verdicts where project_id = ${projectId}`;
  const ids = rows.map((row) => row.id);
  const pending = oldRows('work');
  expect(pending).toHaveLength(6);
  for (const { id, subject_id } of pending)
    expect([subject_id, ids.filter((each) => each === id)]).toEqual([subject_id, [id]]);
});

async function read(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${edgeUrl}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  expect([path, response.status, text.slice(0, 200)]).toEqual([path, 200, expect.any(String)]);
  return JSON.parse(text) as Record<string, unknown>;
}

test('after an upgrade of the first release, the API answers its turns, verdicts, labels and traces', async () => {
  for (let n = 0; n < 30; n++) {
    const full = `web-${n} is at ${50 + n / 2}%`;
    const { output } = await read(`/v1/turns/old-${n}`);
    expect(output).toBe(n % 3 === 0 ? `${full} and ${700 + n} GB are free.` : `${full}.`);
  }
  const verdicts = oldRows('verdicts');
  expect(verdicts.length).toBeGreaterThanOrEqual(40);
  for (const { id, outcome } of verdicts)
    expect(await read(`/v1/verifications/${String(id)}`)).toMatchObject({ id, outcome });
  const { data } = await read('/v1/labels?limit=200');
  expect((data as unknown[]).length).toBeGreaterThan(0);
  const traces = oldRows('traces');
  expect(traces.length).toBeGreaterThan(0);
  for (const trace of traces) await read(`/v1/traces/${String(trace.trace_id ?? trace.id)}`);
});
