import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { ensureCluster } from './postgres.mjs';
import { isAlive } from './processes.mjs';
import { type TestCluster, startTestCluster } from './temporary-cluster.mjs';

const clusters: TestCluster[] = [];
const folders: string[] = [];

async function make(options?: Parameters<typeof startTestCluster>[0]): Promise<TestCluster> {
  const cluster = await startTestCluster(options);
  clusters.push(cluster);
  return cluster;
}

/** A data folder with the test's `postgres` folder. */
function folder(): string {
  const dir = mkdtempSync('/tmp/assay-damaged-');
  chmodSync(dir, 0o711);
  mkdirSync(join(dir, 'postgres'));
  folders.push(dir);
  return dir;
}

async function ask<T>(url: string, query: string): Promise<T[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return (await sql.unsafe(query)) as unknown as T[];
  } finally {
    await sql.end();
  }
}

afterAll(async () => {
  for (const cluster of clusters) await cluster.stop();
  for (const dir of folders) rmSync(dir, { recursive: true, force: true });
});

test('a new cluster answers over TCP with the settings that Assay needs', async () => {
  const cluster = await make({ fsync: true });
  const wanted = [
    'fsync',
    'synchronous_commit',
    'jit',
    'max_wal_size',
    'unix_socket_directories',
    'listen_addresses',
    'TimeZone',
    'server_encoding',
  ];
  const rows = await ask<{ name: string; value: string }>(
    cluster.url,
    `select name, current_setting(name) value from unnest(array['${wanted.join("','")}']) name`,
  );
  expect(Object.fromEntries(rows.map((row) => [row.name, row.value]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    jit: 'off',
    max_wal_size: '2GB',
    unix_socket_directories: '',
    listen_addresses: '127.0.0.1',
    TimeZone: 'UTC',
    server_encoding: 'UTF8',
  });
  const word = statSync(join(cluster.dataDir, 'postgres', 'assay.password'));
  expect(word.mode & 0o777).toBe(0o600);
});

test('without the password connections are refused', async () => {
  const cluster = await make();
  const wrong = new URL(cluster.url);
  wrong.password = 'wrong';
  await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

test('a running server is adopted, and a stopped one is started on the same data', async () => {
  const cluster = await make();
  await ask(cluster.url, 'create table kept as select 7 as value');
  const adopted = await ensureCluster({ dataDir: cluster.dataDir });
  expect(adopted).toMatchObject({ started: false, pid: cluster.pid(), url: cluster.url });
  await adopted.stop();
  expect(isAlive(adopted.pid)).toBe(false);
  await cluster.start();
  expect(await ask(cluster.url, 'select value from kept')).toEqual([{ value: 7 }]);
});

test('after kill -9 of the postmaster and all backends the next start recovers committed data', async () => {
  const cluster = await make({ fsync: true });
  for (const round of [1, 2, 3]) {
    await ask(
      cluster.url,
      `create table if not exists kept (value int); insert into kept values (${round})`,
    );
    const before = cluster.pid();
    await cluster.kill();
    expect(isAlive(before)).toBe(false);
    expect(existsSync(join(cluster.dataDir, 'postgres', 'postmaster.pid'))).toBe(true);
    await cluster.start();
    expect(cluster.pid()).not.toBe(before);
    expect(await ask(cluster.url, 'select count(*)::int n from kept')).toEqual([{ n: round }]);
  }
});

test('kill -9 of the postmaster alone, and a start in the same moment', async () => {
  const cluster = await make();
  // postgres.js loads array types at its first query; interrupted there, its rejection has no
  // handler.
  const sql = postgres(cluster.url, { max: 4, fetch_types: false });
  await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.05)`));
  const busy = Promise.allSettled([1, 2, 3, 4].map(() => sql`select pg_sleep(1)`));
  process.kill(cluster.pid(), 'SIGKILL');
  await cluster.start();
  expect(await ask(cluster.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await busy;
  await sql.end({ timeout: 1 });
});

test('a stale postmaster.pid whose number is another process of the same user does not prevent the start', async () => {
  const cluster = await make();
  await cluster.kill();
  const file = join(cluster.dataDir, 'postgres', 'postmaster.pid');
  const { uid, gid } = statSync(file);
  const other = spawn('sleep', ['30'], process.getuid?.() === 0 ? { uid, gid } : {});
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [String(other.pid), ...lines.slice(1)].join('\n'));
  await cluster.start();
  other.kill();
  expect(await ask(cluster.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});

test('a first start that was killed in the middle does not block the next', async () => {
  const dir = folder();
  rmSync(join(dir, 'postgres'), { recursive: true });
  // No process has this number: Linux counts to 4194304 at most.
  mkdirSync(join(dir, 'postgres.init-9999999', 'base'), { recursive: true });
  const cluster = await ensureCluster({ dataDir: dir, settings: { fsync: 'off' } });
  await cluster.stop();
  expect(existsSync(join(dir, 'postgres.init-9999999'))).toBe(false);
});

test('a folder with files but without PG_VERSION is refused and left unchanged', async () => {
  const dir = folder();
  const file = join(dir, 'postgres', 'something');
  writeFileSync(file, 'kept');
  await expect(ensureCluster({ dataDir: dir })).rejects.toThrow(
    `The data folder ${join(dir, 'postgres')} is damaged (it contains files, but no PG_VERSION). Assay does not touch it`,
  );
  expect(readFileSync(file, 'utf8')).toBe('kept');
});

test('data of another major version is refused', async () => {
  const dir = folder();
  writeFileSync(join(dir, 'postgres', 'PG_VERSION'), '15\n');
  await expect(ensureCluster({ dataDir: dir })).rejects.toThrow(
    'was created by PostgreSQL 15, and this Assay includes 18',
  );
});

test('damage that only PostgreSQL detects is reported with its FATAL line, the folder and the log', async () => {
  const cluster = await make();
  await cluster.kill();
  const control = join(cluster.dataDir, 'postgres', 'global', 'pg_control');
  const whole = readFileSync(control);
  truncateSync(control, 100);
  await expect(cluster.start()).rejects.toThrow(
    new RegExp(
      `^PostgreSQL does not start on the data folder \\S+/postgres: (FATAL|PANIC): .*pg_control.* \\(log: \\S+\\)\\. Assay does not touch it`,
    ),
  );
  writeFileSync(control, whole);
  await cluster.start();
  expect(await ask(cluster.url, 'select 1 as one')).toEqual([{ one: 1 }]);
});
