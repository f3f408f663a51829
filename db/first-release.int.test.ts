import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres, { type Sql } from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { root } from '../scripts/data-dir.mjs';
import { findFreePort } from '../scripts/postgres.mjs';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, createLedger, type Ledger } from '../testing/ledger';
import {
  insertOldKey,
  listTables,
  readRows,
  restoreUnmigrated,
  type Rows,
  type Table,
} from '../testing/old-database';
import { type Child, endAll, startProcess, startWorker } from '../testing/processes';
import { sampleTurn } from '../testing/stack';
import { until } from '../testing/until';
import { knownMigrations } from './migrate';

// The database of the first release, from a dump that this release wrote (testing/dumps/README.md),
// is upgraded while clients send to the new one.

const dump = join(root, 'testing', 'dumps', 'first.backup.gz');

/** Tables whose rows running processes remove, since the work is done. */
const finishing = new Set(['work', 'jobs', 'judgement_dues', 'report_schedules']);
/**
 * Tables whose rows count new work too, or note the last use. Of the counts, `closeLedger` compares
 * those of verdicts with the verdicts.
 */
const counting = new Set([
  'api_keys',
  'decision_rollups',
  'intake_rollups',
  'integrity_rollups',
  'sessions',
  'verdict_hours',
  'verdict_rollups',
  'verdict_spreads',
]);

interface OldTable extends Table {
  readonly rows: Rows;
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
});

afterAll(async () => {
  await endAll();
  await sql.end();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

/** An edge that ends is started again, as the product's start and an orchestrator do. */
async function superviseEdge(port: number): Promise<Child> {
  const own = { ...variables(), ASSAY_EDGE_PORT: String(port) };
  for (;;) {
    const edge = await startProcess('edge', own);
    const over = edge.exited.then(() => null);
    const serves = until('the edge serves', async () => {
      const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      return ready?.status === 200 ? edge : null;
    });
    const winner = await Promise.race([serves, over]);
    if (winner !== null) return winner;
    serves.catch(() => undefined);
  }
}

/** Sends batches until told to stop. */
async function sendBatches(ledger: Ledger, label: string, stop: AbortSignal): Promise<void> {
  for (let batch = 0; !stop.aborted; batch++) {
    await ledger.postUntilAcked(
      Array.from({ length: 5 }, (_, at) => sampleTurn(`${label}-${batch}-${at}`)),
      240_000,
    );
    await delay(5);
  }
}

async function upgradeUnderTraffic(): Promise<void> {
  const port = await findFreePort();
  edgeUrl = `http://127.0.0.1:${port}`;
  ledgers = Array.from({ length: 3 }, () => createLedger({ url: edgeUrl, key }));
  const stop = new AbortController();
  const clients = ledgers.map((ledger, at) => sendBatches(ledger, `new-${at}`, stop.signal));
  // The migration begins when clients have been refused.
  const lock = await sql.reserve();
  await lock.unsafe(
    `select pg_advisory_lock(hashtextextended('assay migrations ' || current_database(), 0))`,
  );
  const edge = superviseEdge(port);
  const migration = await startProcess('migrate', variables());
  await until('a client was refused', () =>
    ledgers.some(({ statuses }) => statuses.size > 0) ? true : null,
  );
  await lock.unsafe(`select pg_advisory_unlock_all()`);
  lock.release();
  expect([await migration.exited, migration.output()]).toEqual([
    0,
    expect.stringContaining(`applied ${knownMigrations() - 10} migration`) as string,
  ]);
  await edge;
  await until('each client is acknowledged', () =>
    ledgers.every(({ acked }) => acked.size >= 20) ? true : null,
  );
  stop.abort();
  await Promise.all(clients);
  await startWorker(variables());
  // Work of a judge or a sandbox may wait for longer: there is neither.
  await until('each turn has its verdict', async () =>
    (await readBalance()).withoutVerdict.length === 0 ? true : null,
  );
}

const oldTurns = (): string[] =>
  [...(old.find((table) => table.name === 'turns')?.rows.keys() ?? [])].map(
    (each) => (JSON.parse(each) as string[])[1] ?? '',
  );

function readBalance(): ReturnType<typeof closeLedger> {
  return closeLedger(sql, projectId, {
    sent: new Set([...oldTurns(), ...ledgers.flatMap((ledger) => [...ledger.sent])]),
    acked: new Set([...oldTurns(), ...ledgers.flatMap((ledger) => [...ledger.acked])]),
    faults: ledgers.flatMap((ledger) => ledger.faults),
  });
}

test('an upgrade of the first release under traffic: what is acknowledged is stored once, and has its verdict', async () => {
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

test('an upgrade of the first release loses, doubles and changes no row', async () => {
  const today = new Map((await listTables(sql)).map((table) => [table.name, table]));
  const lost: string[] = [];
  const changed: string[] = [];
  for (const { name: table, keys, columns, rows } of old) {
    const now = today.get(table);
    if (now === undefined) {
      if (rows.size > 0) lost.push(`the table ${table}`);
      continue;
    }
    if (finishing.has(table)) continue;
    const kept = columns.filter((column) => now.columns.includes(column));
    const before = new Map([...rows].map(([id, row]) => [id, only(row, kept)]));
    const after = await readRows(sql, { name: table, keys, columns: kept });
    for (const [id, row] of before) {
      const found = after.get(id);
      if (found === undefined) lost.push(`${table} ${id}`);
      else if (!counting.has(table) && only(found, kept) !== row)
        changed.push(`${table} ${row} ${found}`);
    }
  }
  expect({ lost, changed }).toEqual({ lost: [], changed: [] });
});

function only(row: string, columns: readonly string[]): string {
  const members = JSON.parse(row) as Record<string, unknown>;
  return JSON.stringify(columns.map((column) => members[column]));
}

async function read(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${edgeUrl}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const text = await response.text();
  expect([path, response.status, text.slice(0, 200)]).toEqual([path, 200, expect.any(String)]);
  return JSON.parse(text) as Record<string, unknown>;
}

const oldRows = (table: string): Record<string, unknown>[] =>
  [...(old.find((each) => each.name === table)?.rows.values() ?? [])].map(
    (row) => JSON.parse(row) as Record<string, unknown>,
  );

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
