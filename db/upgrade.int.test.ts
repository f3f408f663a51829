import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres, { type Sql } from 'postgres';
import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { findFreePort } from '../scripts/postgres.mjs';
import { startTestCluster } from '../scripts/temporary-cluster.mjs';
import { clean, closeLedger, createLedger } from '../testing/ledger';
import { listTables, readRows } from '../testing/old-database';
import {
  type Child,
  endAll,
  waitForMessage,
  startEdge,
  startProcess,
  startWorker,
} from '../testing/processes';
import { copyRelease, type Release } from '../testing/releases';
import { createStack, sampleTurn, type Stack } from '../testing/stack';
import { until } from '../testing/until';
import { knownMigrations } from './migrate';

/** Starts before the database, broken migrations, and two releases at once (reliability.md 4.4). */

afterEach(() => endAll());

async function createEmptyDatabase(): Promise<{ readonly url: string; readonly sql: Sql }> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const admin = postgres(inject('databaseUrl'), { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  const sql = postgres(url.href, { max: 2, onnotice: () => undefined });
  onTestFinished(async () => {
    await sql.end();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { url: url.href, sql };
}

const secret = { ASSAY_SECRET: 'test-secret-test-secret-test-secret', ASSAY_LOG_LEVEL: 'warn' };

test('R-40 PostgreSQL comes up last: edge and worker wait for it, the same processes then serve', async () => {
  const cluster = await startTestCluster({ fsync: true });
  onTestFinished(() => cluster.stop());
  const stack = await createStack(cluster.url);
  onTestFinished(() => stack.close());
  await cluster.kill();
  const port = await findFreePort();
  const variables = { ...stack.variables, ASSAY_EDGE_PORT: String(port) };
  const edge = await startProcess('edge', variables);
  const worker = await startProcess('worker', stack.variables);
  await waitForMessage(edge, 'ready');
  for (const child of [edge, worker]) await until('it reports the outage', () => waits(child));
  const url = `http://127.0.0.1:${port}`;
  const ledger = createLedger({ url, key: stack.key });
  expect(await ledger.post([sampleTurn('r40')])).toBe(false);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(worker.messages).toEqual([]);
  await cluster.start();
  await waitForMessage(worker, 'ready');
  await until('ready', async () => ((await fetch(`${url}/readyz`)).status === 200 ? true : null));
  await ledger.postUntilAcked([sampleTurn('r40')]);
  await stack.drained();
  expect(await closeLedger(stack.sql, stack.project.projectId, ledger)).toMatchObject({
    ...clean,
    verdicts: 1,
  });
  expect(new Set(ledger.statuses.keys())).toEqual(new Set([503, 202]));
});

const waits = (child: Child): true | null =>
  child.output().includes('PostgreSQL is unavailable') ? true : null;

const ended = async (child: Child) => ({ code: await child.exited, said: child.output().trim() });

/** Appends a migration to a release. */
function addMigration({ folder }: Release, text: string): string {
  const file = join(folder, 'db', 'migrations', '9999_added.sql');
  const journalFile = join(folder, 'db', 'migrations', 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as {
    entries: { idx: number; when: number; tag: string; version: string; breakpoints: boolean }[];
  };
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error('there are no migrations');
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag: '9999_added' });
  writeFileSync(file, text);
  writeFileSync(journalFile, JSON.stringify(journal));
  return file;
}

const statements = [
  'create table "added_first" (id text primary key)',
  'alter table "projects" add column "added_column" text',
  'insert into "added_missing" values (1)',
  'create table "added_last" (id text primary key)',
];
const migrationOf = (texts: readonly string[]): string =>
  texts.map((text) => `${text};`).join('\n--> statement-breakpoint\n');

test('R-43 the third statement of a migration fails: nothing is applied, the app refuses in one line, the next start works', async () => {
  const { url, sql } = await createEmptyDatabase();
  const variables = { ...secret, DATABASE_URL: url };
  const release = await copyRelease(['migrate', 'worker', 'thread', 'background-thread']);
  onTestFinished(() => release.remove());
  expect(await ended(await startProcess('migrate', variables))).toMatchObject({ code: 0 });
  const read = async (): Promise<string[]> => {
    const rows = await sql<{ name: string }[]>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' order by 1`;
    return rows.map((row) => row.name);
  };
  const before = await read();
  const file = addMigration(release, migrationOf(statements));

  const failed = await ended(release.start('migrate', variables));
  expect(failed.code).toBe(1);
  expect(failed.said).toContain('migration failed: ');
  expect(failed.said).toContain('added_missing');
  expect(await read()).toEqual(before);
  const count = sql<{ n: number }[]>`
    select count(*)::int as n from drizzle.__drizzle_migrations`;
  expect(await count).toEqual([{ n: knownMigrations() }]);
  expect(await ended(release.start('worker', variables))).toEqual({
    code: 1,
    said: 'worker: the database lacks 1 migration(s): run "assay migrate" first',
  });

  writeFileSync(file, migrationOf(statements.filter((text) => !text.includes('missing'))));
  expect(await ended(release.start('migrate', variables))).toMatchObject({
    code: 0,
    said: 'applied 1 migration(s)',
  });
  expect((await read()).filter((name) => !before.includes(name))).toEqual([
    'added_first.id',
    'added_last.id',
    'projects.added_column',
  ]);
  await waitForMessage(release.start('worker', variables), 'ready');
});

/** All turns and verdicts, in the current columns. */
async function snapshot({ database }: Stack): Promise<() => ReturnType<typeof readRows>> {
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined });
  onTestFinished(() => sql.end());
  const tables = (await listTables(sql)).filter(({ name }) => /^(turns|verdicts)$/.test(name));
  return async () => {
    const rows = (await Promise.all(tables.map((table) => readRows(sql, table)))).flat();
    return rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  };
}

/** Records which workers claim work. */
async function noteClaims({ sql }: Stack): Promise<(pid: number) => Promise<true | null>> {
  await sql.unsafe(`
    create table test_claims (owner text);
    create function note_claim() returns trigger language plpgsql as $$
    begin insert into test_claims values (new.owner); return new; end $$;
    create trigger note_claim after update on work for each row
      when (new.fence > old.fence) execute function note_claim()`);
  return async (pid) => {
    const rows = await sql`select 1 from test_claims where owner like ${`%-${pid}-%`} limit 1`;
    return rows.length > 0 ? true : null;
  };
}

test('R-44 an upgrade with data under load: old and new processes work at once, no row changes, the old release does not start again', async () => {
  const stack = await createStack(inject('databaseUrl'), { ASSAY_LEASE_MS: '3000' });
  onTestFinished(() => stack.close());
  const added = statements.filter((text) => !text.includes('missing'));
  const newer = await copyRelease([
    'edge',
    'gateway-thread',
    'thread',
    'migrate',
    'worker',
    'background-thread',
  ]);
  onTestFinished(() => newer.remove());
  addMigration(newer, migrationOf([...added, 'alter table "work" add column "added" text']));
  const oldEdge = await startEdge(stack.variables);
  const oldWorker = await startWorker(stack.variables);
  const ledger = createLedger({ url: oldEdge.url, key: stack.key });
  await ledger.postUntilAcked(Array.from({ length: 40 }, (_, i) => sampleTurn(`r44-old-${i}`)));
  await stack.drained();
  const readAll = await snapshot(stack);
  const before = await readAll();
  expect(before).toHaveLength(80);

  let isOver = false;
  const load = async (label: string, to = ledger): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      await to.postUntilAcked([sampleTurn(`r44-${label}-${n}`)]);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  };
  const oldLoad = load('during');
  expect(await ended(newer.start('migrate', stack.variables))).toMatchObject({
    code: 0,
    said: 'applied 1 migration(s)',
  });
  const hasClaimed = await noteClaims(stack);
  const port = await findFreePort();
  const newEdge = newer.start('edge', { ...stack.variables, ASSAY_EDGE_PORT: String(port) });
  const newWorker = newer.start('worker', stack.variables);
  await Promise.all([waitForMessage(newEdge, 'ready'), waitForMessage(newWorker, 'ready')]);
  const newLedger = createLedger({ url: `http://127.0.0.1:${port}`, key: stack.key });
  const newLoad = load('new', newLedger);
  for (const { pid } of [oldWorker, newWorker])
    await until('each worker claims work', () => hasClaimed(pid));
  isOver = true;
  await Promise.all([oldLoad, newLoad]);
  await stack.drained();

  const both = {
    sent: new Set([...ledger.sent, ...newLedger.sent]),
    acked: new Set([...ledger.acked, ...newLedger.acked]),
    faults: [...ledger.faults, ...newLedger.faults],
  };
  expect(await closeLedger(stack.sql, stack.project.projectId, both)).toMatchObject(clean);
  const keys = new Set(before.map(({ key }) => key));
  expect((await readAll()).filter(({ key }) => keys.has(key))).toEqual(before);
  const known = knownMigrations();
  for (const entry of ['edge', 'worker', 'migrate'] as const) {
    const child = await startProcess(entry, stack.variables);
    const started = waitForMessage(child, 'ready').then(() => 'it started');
    started.catch(() => undefined);
    expect(await Promise.race([ended(child), started])).toEqual({
      code: 1,
      said: expect.stringContaining(
        `the database has ${known + 1} migrations and this release knows ${known}: start the newer release`,
      ) as string,
    });
  }
});
