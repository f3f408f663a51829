import { randomBytes } from 'node:crypto';
import { eq, sql as drizzleSql } from 'drizzle-orm';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Client, openClient } from './client';
import { migrateDatabase } from './migrate';
import * as schema from './schema';
import { readRlsStatus, secureTables, tenantRole } from './secure';
import { tenantClient } from './tenant';

let database: { readonly url: string; drop(): Promise<void> };
let base: Client;
const a = 'prj_a';
const b = 'prj_b';

beforeAll(async () => {
  database = await createDatabase();
  base = openClient(
    { databaseUrl: database.url, queryTimeoutMs: 5000, poolSize: 3 },
    { name: 'test' },
  );
  for (const id of [a, b]) {
    await base.sql`insert into projects (id, slug, name) values (${id}, ${id}, ${id})`;
    await base.sql`insert into dead_letters (project_id, id, route, code, message, body) values (${id}, ${`of ${id}`}, '/', 'c', 'm', ${Buffer.from('x')})`;
  }
});

async function createDatabase(): Promise<typeof database> {
  const name = `t_${randomBytes(6).toString('hex')}`;
  const admin = postgres(inject('databaseUrl'), { max: 1, onnotice: () => undefined });
  await admin.unsafe(`create database ${name}`);
  const url = new URL(inject('databaseUrl'));
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  return {
    url: url.href,
    async drop() {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
}

afterAll(async () => {
  await base.close();
  await database.drop();
});

const letters = async (sql: Client['sql']): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from dead_letters order by id`).map((row) => row.id);

test('S-3 a query without a project filter sees only its own project, in every form of the driver', async () => {
  const { sql, db } = tenantClient(base, a);
  expect(await letters(sql)).toEqual(['of prj_a']);
  expect(await letters(tenantClient(base, b).sql)).toEqual(['of prj_b']);
  expect(await letters(base.sql)).toEqual(['of prj_a', 'of prj_b']);
  const rows =
    await sql`select id from dead_letters ${sql`where id like ${'of %'}`} ${sql``} and id in ${sql(['of prj_a', 'of prj_b'])}`;
  expect([...rows]).toEqual([{ id: 'of prj_a' }]);
  expect(rows.count).toBe(1);
  expect([
    ...(await sql.unsafe('select id from dead_letters where id like $1', ['of %']).values()),
  ]).toEqual([['of prj_a']]);
  expect([...(await sql.unsafe('select id from dead_letters'))]).toEqual([{ id: 'of prj_a' }]);
  expect(await db.select({ id: schema.deadLetters.id }).from(schema.deadLetters)).toEqual([
    { id: 'of prj_a' },
  ]);
  expect(await db.select({ id: schema.projects.id }).from(schema.projects)).toEqual([{ id: a }]);
  expect(await sql.begin((tx) => letters(tx as unknown as Client['sql']))).toEqual(['of prj_a']);
  expect(await sql.begin((tx) => [tx`select id from dead_letters`, tx`select 1 as one`])).toEqual([
    [{ id: 'of prj_a' }],
    [{ one: 1 }],
  ]);
  const inTransaction = await db.transaction(async (tx) =>
    tx.transaction(async (inner) =>
      inner.select({ id: schema.deadLetters.id }).from(schema.deadLetters),
    ),
  );
  expect(inTransaction).toEqual([{ id: 'of prj_a' }]);
  expect(
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => letters(n % 2 === 0 ? sql : tenantClient(base, b).sql)),
    ),
  ).toEqual(Array.from({ length: 40 }, (_, n) => [n % 2 === 0 ? 'of prj_a' : 'of prj_b']));
});

test('S-3 rows of another project can be neither changed, deleted nor inserted', async () => {
  const { sql, db } = tenantClient(base, a);
  expect((await sql`update dead_letters set message = 'changed'`).count).toBe(1);
  expect((await sql`delete from dead_letters where id = ${'of prj_b'}`).count).toBe(0);
  const foreign = (id: string) =>
    sql`insert into dead_letters (project_id, id, route, code, message, body) values (${b}, ${id}, '/', 'c', 'm', ${Buffer.from('x')})`;
  await expect(foreign('new')).rejects.toMatchObject({ code: '42501' });
  await expect(sql`update dead_letters set project_id = ${b}`).rejects.toMatchObject({
    code: '42501',
  });
  await expect(
    db.transaction((tx) => tx.execute(drizzleSql`update dead_letters set project_id = ${b}`)),
  ).rejects.toThrow('Failed query');
  await db.update(schema.projects).set({ name: 'own' });
  expect([...(await base.sql`select id, name from projects order by id`)]).toEqual([
    { id: a, name: 'own' },
    { id: b, name: b },
  ]);
  expect([...(await base.sql`select id, message from dead_letters order by id`)]).toEqual([
    { id: 'of prj_a', message: 'changed' },
    { id: 'of prj_b', message: 'm' },
  ]);
});

test('S-3 data outside projects cannot be read: accounts, sessions, passwords, attempts, migrations', async () => {
  const { sql, db } = tenantClient(base, a);
  for (const table of [
    'auth_sessions',
    'auth_accounts',
    'auth_verifications',
    'sign_in_tries',
    'drizzle.__drizzle_migrations',
  ])
    await expect(sql.unsafe(`select * from ${table}`), table).rejects.toMatchObject({
      code: '42501',
    });
  await expect(sql`select operator from users`).rejects.toMatchObject({ code: '42501' });
  await expect(sql`update users set name = 'x'`).rejects.toMatchObject({ code: '42501' });
  await expect(sql`create table public.t (a int)`).rejects.toMatchObject({ code: '42501' });
  expect(
    await db.select({ id: schema.users.id }).from(schema.users).where(eq(schema.users.email, 'x')),
  ).toEqual([]);
});

test('S-3 a fault leaves the connection clean: the role, the project and the order of results', async () => {
  const { sql } = tenantClient(base, a);
  for (let round = 0; round < 12; round++) {
    const missing: { value?: string } = {};
    const faults = [
      sql`select 1 / ${0}::int`,
      sql`select ${missing.value as string}`,
      sql`select * from no_such_table`,
      sql.begin(async (tx) => {
        await tx`select 1`;
        throw new Error('mine');
      }),
    ];
    const settled = await Promise.allSettled([...faults, letters(sql), letters(base.sql)]);
    expect(settled.map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(settled.at(-2)).toMatchObject({ value: ['of prj_a'] });
    expect(settled.at(-1)).toMatchObject({ value: ['of prj_a', 'of prj_b'] });
  }
  const who = await Promise.all(
    Array.from(
      { length: 9 },
      () => base.sql`select current_user as who, current_setting('assay.project', true) as project`,
    ),
  );
  for (const [row] of who) {
    expect(row?.who).not.toBe(tenantRole);
    expect(row?.project ?? '').toBe('');
  }
});

test('S-3 R-32 a lost connection is an error, neither a hang nor a crash, and the next query uses another', async () => {
  const { sql, db } = tenantClient(base, a);
  const ways: (() => Promise<unknown>)[] = [
    async () => sql`select pg_sleep(20)`,
    async () => db.execute(drizzleSql`select pg_sleep(20)`),
    async () => sql.begin(async (tx) => tx`select pg_sleep(20)`),
    async () => base.sql.begin((tx) => [tx`select 1`, tx`select pg_sleep(20)`]),
    async () =>
      base.sql.begin(async (tx) => tx.savepoint(async (point) => point`select pg_sleep(20)`)),
    async () =>
      base.db.transaction(async (tx) => {
        await tx.execute(drizzleSql`select pg_sleep(20)`).catch(() => undefined);
        await tx.execute(drizzleSql`select 1`);
      }),
  ];
  for (const way of ways) {
    const lost = way().then(
      () => 'slept',
      () => 'lost',
    );
    await until(
      () => base.sql`
      select pg_terminate_backend(pid) from pg_stat_activity where query like 'select pg_sleep%' and state = 'active'`,
    );
    expect(await lost).toBe('lost');
    // The first query on a new connection may still report the loss of the old one.
    await expect.poll(() => letters(sql).catch(() => null)).toEqual(['of prj_a']);
  }
});

test('R-32 a connection lost between two queries of a transaction is an error too', async () => {
  let resume = (): void => undefined;
  const pause = new Promise<void>((resolve) => {
    resume = resolve;
  });
  const lost = base.sql.begin(async (tx) => {
    await tx`select 'between'`;
    await pause;
    await tx`select 1`;
  });
  lost.catch(() => undefined);
  await until(
    () => base.sql`
    select pg_terminate_backend(pid) from pg_stat_activity where query like 'select ''between''%' and state = 'idle in transaction'`,
  );
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  resume();
  await expect.poll(() => letters(base.sql).catch(() => [])).toHaveLength(2);
});

async function until(query: () => PromiseLike<readonly unknown[]>): Promise<void> {
  await expect
    .poll(() =>
      Promise.resolve(query()).then(
        (rows) => rows.length,
        () => 0,
      ),
    )
    .toBe(1);
}

test('S-3 calls that would leave the transaction are refused', () => {
  const { sql } = tenantClient(base, a);
  expect(() => sql.reserve()).toThrow('not for a project');
  expect(() => sql.listen('x', () => undefined)).toThrow('not for a project');
  expect(() => tenantClient(base, `x'; reset role; --`)).toThrow('no id of a project');
});

test('S-3 a new table with project_id is covered by the next migration, and migrating again changes nothing', async () => {
  await base.sql`create table public.later (project_id text not null, id text not null)`;
  await base.sql`insert into later values (${a}, '1'), (${b}, '2')`;
  expect(await migrateDatabase(database.url)).toMatchObject({
    applied: 0,
    rlsStatus: { on: true },
  });
  expect([...(await tenantClient(base, b).sql`select id from later`)]).toEqual([{ id: '2' }]);
  const before =
    await base.sql`select sum(n_tup_ins + n_tup_upd) as n from pg_stat_sys_tables where relname in ('pg_policy', 'pg_class', 'pg_authid')`;
  await secureTables(base.sql);
  expect(
    await base.sql`select sum(n_tup_ins + n_tup_upd) as n from pg_stat_sys_tables where relname in ('pg_policy', 'pg_class', 'pg_authid')`,
  ).toEqual(before);
  await base.sql`drop table public.later`;
});

test('S-3 a user without the privilege to create the role gets the administrator’s commands, and runs without row-level security until then', async () => {
  const admin = postgres(database.url, { max: 1, onnotice: () => undefined });
  const own = `u_${database.url.split('/').at(-1)}`;
  await admin.unsafe(`create role ${own} login password 'own'`);
  await admin.unsafe(`create database ${own} owner ${own}`);
  const url = new URL(database.url);
  url.pathname = `/${own}`;
  url.username = own;
  url.password = 'own';
  const first = await migrateDatabase(url.href);
  expect(first).toMatchObject({ rlsStatus: { on: false } });
  const advice = first.rlsStatus.on ? '' : first.rlsStatus.advice;
  expect(advice).toContain(`grant ${tenantRole} to ${own}`);
  const plain = openClient(
    { databaseUrl: url.href, queryTimeoutMs: 5000, poolSize: 2 },
    { name: 'test' },
  );
  expect((await tenantClient(plain, a).sql`select current_user::text as who`)[0]?.who).toBe(own);
  await admin.unsafe(`grant ${tenantRole} to ${own}`);
  expect(await migrateDatabase(url.href)).toMatchObject({ applied: 0, rlsStatus: { on: true } });
  expect(await readRlsStatus(plain.sql)).toEqual({ on: true });
  await plain.close();
  const guarded = openClient(
    { databaseUrl: url.href, queryTimeoutMs: 5000, poolSize: 2 },
    { name: 'test' },
  );
  expect((await tenantClient(guarded, a).sql`select current_user::text as who`)[0]?.who).toBe(
    tenantRole,
  );
  await guarded.close();
  await admin.unsafe(`drop database ${own} with (force)`);
  await admin.unsafe(`drop role ${own}`);
  await admin.end();
});
