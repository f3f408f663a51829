import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { tenantRole } from '../db';
import { createTestProject } from '../testing/database';
import { test } from '../testing/fixture';
import type { ProjectCtx } from './access';
import type { Runtime } from './runtime';

let runtime: Runtime;
let a: ProjectCtx;
let b: ProjectCtx;

/** Tables without a project: used by sign-in, links and key checks, never within a project. */
const projectless = [
  'auth_accounts',
  'auth_passkeys',
  'auth_sessions',
  'auth_two_factors',
  'auth_verifications',
  'sign_in_tries',
];

test.beforeAll(async ({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  a = await createTestProject(runtime);
  b = await createTestProject(runtime);
  for (const table of await tenantTables(runtime.ctx.sql))
    await fill(runtime.ctx.sql, table, a.projectId);
});

async function tenantTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'project_id' order by 1`;
  return rows.map((row) => row.name);
}

/** Inserts a row of the project into any table, built from the column catalogue. */
async function fill(sql: Sql, table: string, projectId: string): Promise<void> {
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and column_name <> 'project_id' and is_nullable = 'NO' and column_default is null`;
  await sql`insert into users (id, name, email) values ('filler', 'filler', 'filler') on conflict do nothing`;
  const values = columns.map(
    ({ name, type }) => `${name === 'user_id' ? `'filler'` : sample(type)} as "${name}"`,
  );
  const names = ['project_id', ...columns.map(({ name }) => `"${name}"`)].join(', ');
  await sql.unsafe(
    `insert into ${table} (${names}) select ${[`'${projectId}' as project_id`, ...values].join(', ')} on conflict do nothing`,
  );
}

function sample(type: string): string {
  const known = new Map([
    ['text', `'filler'`],
    ['integer', '1'],
    ['bigint', '1'],
    ['double precision', '1'],
    ['boolean', 'true'],
    ['jsonb', `'{}'::jsonb`],
    ['bytea', `'x'::bytea`],
    ['date', 'current_date'],
    ['ARRAY', `'{}'::text[]`],
    ['timestamp with time zone', 'now()'],
  ]);
  const value = known.get(type);
  if (value === undefined)
    throw new Error(`this test knows no value of type "${type}": give it one`);
  return value;
}

test('S-3 every table is guarded by its project or out of reach: none is forgotten', async () => {
  const rows = await runtime.ctx.sql<
    { name: string; guarded: boolean; policies: string[]; granted: boolean; readable: boolean }[]
  >`
    select c.relname as name, c.relrowsecurity as guarded,
      coalesce((select jsonb_agg(pg_get_expr(p.polqual, p.polrelid)) from pg_policy p where p.polrelid = c.oid), '[]') as policies,
      has_table_privilege(${tenantRole}, c.oid, 'insert') and has_table_privilege(${tenantRole}, c.oid, 'delete') as granted,
      has_any_column_privilege(${tenantRole}, c.oid, 'select') as readable
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`;
  const tenants = await tenantTables(runtime.ctx.sql);
  expect(tenants.length).toBeGreaterThan(15);
  const closed = { guarded: false, policies: [], granted: false, readable: false };
  const wanted = (name: string) => {
    if (name === 'users' || name === 'worker_boxes') return { ...closed, readable: true };
    if (projectless.includes(name)) return closed;
    const column = name === 'projects' ? 'id' : 'project_id';
    return {
      guarded: true,
      policies: [`(${column} = current_setting('assay.project'::text, true))`],
      granted: true,
      readable: true,
    };
  };
  expect(tenants.filter((name) => projectless.includes(name))).toEqual([]);
  for (const { name, ...row } of rows) expect(row, name).toEqual(wanted(name));
});

test('S-3 the role owns nothing, cannot log in, and has no attribute that bypasses the policy', async () => {
  const [role] = await runtime.ctx.sql`
    select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication,
      (select count(*)::int from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o') as owned,
      (select count(*)::int from pg_auth_members m where m.member = r.oid) as memberships
    from pg_roles r where rolname = ${tenantRole}`;
  expect(role).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolcanlogin: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    owned: 0,
    memberships: 0,
  });
});

test('S-3 raw SQL in each table: 0 rows of another project, 0 rows without one, no row for another', async () => {
  const { sql } = runtime.ctx;
  const as = (project: string | null, query: string): Promise<readonly Record<string, unknown>[]> =>
    sql.begin(async (tx) => {
      await tx`select set_config('role', ${tenantRole}, true)`;
      if (project !== null) await tx`select set_config('assay.project', ${project}, true)`;
      return tx.unsafe(query);
    });
  for (const table of await tenantTables(sql)) {
    const count = `select count(*)::int as n from ${table} where project_id = '${a.projectId}'`;
    const [own] = await sql.unsafe(count);
    expect(own?.n, `${table} has a row of A`).toBeGreaterThan(0);
    expect(await as(a.projectId, `select count(*)::int as n from ${table}`), table).toEqual([own]);
    for (const project of [b.projectId, '', null]) {
      expect(await as(project, count), `${table} ${project}`).toEqual([{ n: 0 }]);
      const copy = `insert into ${table} select * from jsonb_populate_record(null::${table}, '{"project_id": "${a.projectId}"}')`;
      await expect(as(project, copy), `${table} ${project}`).rejects.toMatchObject({
        code: '42501',
      });
    }
  }
  expect(await as(b.projectId, 'select id from projects')).toEqual([{ id: b.projectId }]);
  expect(await as(null, 'select id from projects')).toEqual([]);
});

test('S-3 the context that verbs get reads its own project, even when a query omits the tenant', async () => {
  for (const table of await tenantTables(runtime.ctx.sql)) {
    const [row] = await b.sql.unsafe(
      `select count(*) filter (where project_id <> '${b.projectId}' or project_id is null)::int as n from ${table}`,
    );
    expect(row?.n, table).toBe(0);
  }
  expect((await b.sql`select id from projects`).map((row) => row.id)).toEqual([b.projectId]);
});
