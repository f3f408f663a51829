// S-128: started by root, processes that take input run unprivileged, and without superuser rights
// in the embedded PostgreSQL.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrateDatabase } from '../db';
import { bundle } from './build.mjs';
import { root } from './data-dir.mjs';
import { findFreePort } from './postgres.mjs';
import { ensureServiceRole, serviceRole } from './service-role.mjs';
import { prepareService } from './service-user.mjs';
import { startTestCluster } from './temporary-cluster.mjs';

type Cluster = Awaited<ReturnType<typeof startTestCluster>>;

let cluster: Cluster;
let serviceUrl = '';

/**
 * One object of every kind in a schema, created by the superuser, as created by an earlier release.
 */
const leftBySuperuser = `
  create schema queue;
  create type queue.state as enum ('a', 'b');
  create type queue.pair as (a int, b int);
  create domain queue.positive as int check (value > 0);
  create table queue.jobs (id serial primary key, n int generated always as identity, state queue.state, at int default 1);
  create sequence queue.loose;
  create view queue.waiting as select * from queue.jobs;
  create materialized view queue.kept as select * from queue.jobs;
  create table queue.days (d int) partition by range (d);
  create table queue.day_1 partition of queue.days for values from (0) to (10);
  create function queue.twice(n int) returns int language sql as 'select n * 2';
  create procedure queue.nothing() language sql as 'select 1';
  insert into queue.jobs (state) values ('a');`;

beforeAll(async () => {
  cluster = await startTestCluster();
  await migrateDatabase(cluster.url);
  const sql = postgres(cluster.url, { max: 1, onnotice: () => undefined });
  await sql.unsafe(leftBySuperuser);
  await sql.end();
  serviceUrl = await ensureServiceRole(cluster);
});

afterAll(() => cluster.stop());

describe('the role of the application', () => {
  test("S-128 is no superuser, owns everything of the superuser's, and is unchanged at the next start", async () => {
    expect(await ensureServiceRole(cluster)).toBe(serviceUrl);
    const sql = postgres(serviceUrl, { max: 1 });
    const [role] = await sql`
      select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user`;
    expect({ ...role }).toEqual({
      rolname: serviceRole,
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    });
    const others = await sql`
      with mine as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
      select relname as name from pg_class where relnamespace in (table mine) and pg_get_userbyid(relowner) <> ${serviceRole}
      union all select typname from pg_type where typnamespace in (table mine) and pg_get_userbyid(typowner) <> ${serviceRole}
      union all select proname from pg_proc where pronamespace in (table mine) and pg_get_userbyid(proowner) <> ${serviceRole}`;
    expect(others.map(({ name }) => name as string)).toEqual([]);
    expect(await sql`select state from queue.jobs`).toHaveLength(1);
    await sql.end();
  });

  test('S-128 migrates, is under row-level security, and empties the schema as a restore does', async () => {
    expect(await migrateDatabase(serviceUrl)).toEqual({ applied: 0, rlsStatus: { on: true } });
    const sql = postgres(serviceUrl, { max: 1, onnotice: () => undefined });
    await sql.unsafe(
      'drop schema public cascade; create schema public; grant usage on schema public to public; drop schema drizzle cascade',
    );
    await sql.end();
    const again = await migrateDatabase(serviceUrl);
    expect(again.applied).toBeGreaterThan(0);
    expect(again.rlsStatus).toEqual({ on: true });
  });

  test.each([
    ['reads no file', `select pg_read_file('/etc/hostname')`],
    ['starts no program', `copy (select 1) to program 'true'`],
    ['creates no role', 'create role another superuser'],
    ['does not make itself a superuser', `alter role ${serviceRole} superuser`],
    ['becomes no superuser', 'set role assay'],
    ['changes no setting of the server', `alter system set log_connections = 'on'`],
    ['sees no password', 'select rolpassword from pg_authid'],
  ])('S-128 %s', async (_what, statement) => {
    const sql = postgres(serviceUrl, { max: 1, onnotice: () => undefined });
    await expect(sql.unsafe(statement)).rejects.toMatchObject({ code: '42501' });
    await sql.end();
  });
});

/** The kernel's status of a process. */
function statusOf(pid: number): {
  readonly uids: string[];
  readonly groups: string[];
  readonly capabilities: string;
} {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): string[] =>
    (new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '')
      .trim()
      .split(/\s+/)
      .filter(Boolean);
  return { uids: field('Uid'), groups: field('Groups'), capabilities: field('CapEff')[0] ?? '' };
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
    } catch {
      return false;
    }
  });
}

describe.skipIf(process.getuid?.() !== 0)('started by root', () => {
  let dir = '';
  const started: ChildProcess[] = [];

  beforeEach(() => {
    dir = mkdtempSync('/tmp/assay-unprivileged-');
    chmodSync(dir, 0o711);
  });

  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    }
    rmSync(dir, { recursive: true, force: true });
  });

  test('S-128 the processes give up root with its groups and all capabilities', async () => {
    if (!existsSync(join(root, 'dist', 'box-launcher.js'))) await bundle();
    const isBuilt = existsSync(join(root, '.next', 'BUILD_ID'));
    const ports = {
      ASSAY_WEB_PORT: String(await findFreePort()),
      ASSAY_EDGE_PORT: String(await findFreePort()),
    };
    const env = {
      ...process.env,
      DATABASE_URL: serviceUrl,
      ASSAY_DATA_DIR: join(dir, 'data'),
      ASSAY_SECRET: 's'.repeat(40),
      ...ports,
    };
    const { user } = prepareService(dir, () => undefined);
    for (const name of ['edge', 'worker', ...(isBuilt ? ['web'] : [])]) {
      const assay = spawn(process.execPath, [join(root, 'scripts', 'assay.mjs'), name], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      started.push(assay);
      let output = '';
      for (const stream of [assay.stdout, assay.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      await vi.waitFor(() => expect(output).toMatch(/ready/i), { timeout: 120_000, interval: 100 });
      const children = childrenOf(assay.pid ?? 0);
      // The launcher keeps root: it reads only its worker's requests of twelve bytes.
      const launchers = children.filter((pid) =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('dist/box-launcher.js'),
      );
      expect(launchers).toHaveLength(name === 'worker' ? 1 : 0);
      const others = children.filter((pid) => !launchers.includes(pid));
      expect(others, name).toHaveLength(1);
      for (const pid of others) {
        const { uids, groups, capabilities } = statusOf(pid);
        expect(uids, name).toEqual(Array.from({ length: 4 }, () => String(user?.uid)));
        expect(uids, name).not.toContain('0');
        expect(groups, name).not.toContain('0');
        expect(capabilities, name).toBe('0000000000000000');
      }
    }
  });

  test("S-128 root's files in the data folder become the processes’ own, and nothing else does", () => {
    mkdirSync(join(dir, 'gateway', 'deep'), { recursive: true });
    writeFileSync(join(dir, 'gateway', 'deep', 'a.snapshot.json'), '{}', { mode: 0o600 });
    writeFileSync(join(dir, 'deletions.jsonl'), '{}\n', { mode: 0o600 });
    writeFileSync(join(dir, 'secret'), 's', { mode: 0o600 });
    const { user } = prepareService(dir, () => undefined);
    const owners = [
      'gateway',
      'gateway/deep',
      'gateway/deep/a.snapshot.json',
      'deletions.jsonl',
      'secret',
      '.',
    ].map((name) => statSync(join(dir, name)).uid);
    expect(owners).toEqual([user?.uid, user?.uid, user?.uid, user?.uid, 0, 0]);
    expect(user?.uid).not.toBe(statSync(join(cluster.dataDir, 'postgres')).uid);
  });
});
