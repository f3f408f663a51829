// S-4: the required properties of a project's tables, read from the system catalogue, so that a new
// table without them fails here.
import type { Sql } from 'postgres';
import { expect } from 'vitest';
import { tenantRole } from '../db';
import { test } from '../testing/fixture';

/** A null project means the installation: an operator's change, a link for an account. */
const ofInstallation = ['audit_events', 'claims'];
/** Unique without the project: a caller that sends one of these does not name a project. */
const uniqueEverywhere = [
  'api_keys_id',
  'audit_events_pkey',
  'claims_pkey',
  'claims_token',
  'projects_pkey',
  'projects_slug_unique',
];

interface CatalogueTable {
  readonly name: string;
  readonly nullable: boolean;
  readonly guarded: boolean;
  readonly policies: readonly { readonly using: string; readonly check: string }[];
  /** The first column of each unique index. */
  readonly unique: readonly { readonly name: string; readonly first: string }[];
  readonly foreign: readonly {
    readonly to: string;
    /** `project_id = project_id`, one per pair of columns. */
    readonly pairs: readonly string[];
  }[];
}

/** Every table with a project, and `projects` itself. */
async function readTables(sql: Sql): Promise<readonly CatalogueTable[]> {
  return sql<CatalogueTable[]>`
    select c.relname as name, not a.attnotnull as nullable, c.relrowsecurity as guarded,
      (select coalesce(jsonb_agg(jsonb_build_object('using', pg_get_expr(p.polqual, p.polrelid), 'check', pg_get_expr(p.polwithcheck, p.polrelid))), '[]')
        from pg_policy p where p.polrelid = c.oid and p.polroles = array[(select oid from pg_roles where rolname = ${tenantRole})]) as policies,
      (select coalesce(jsonb_agg(jsonb_build_object('name', i.indexrelid::regclass::text, 'first', pg_get_indexdef(i.indexrelid, 1, false))), '[]')
        from pg_index i where i.indrelid = c.oid and i.indisunique) as unique,
      (select coalesce(jsonb_agg(jsonb_build_object('to', f.confrelid::regclass::text, 'pairs', (
          select jsonb_agg(own.attname || ' = ' || other.attname)
          from unnest(f.conkey, f.confkey) as pair (own, other)
          join pg_attribute own on own.attrelid = f.conrelid and own.attnum = pair.own
          join pg_attribute other on other.attrelid = f.confrelid and other.attnum = pair.other))), '[]')
        from pg_constraint f where f.conrelid = c.oid and f.contype = 'f') as foreign
    from pg_class c join pg_attribute a on a.attrelid = c.oid
      and a.attname = case when c.relname = 'projects' then 'id' else 'project_id' end and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`;
}

function faultsOf(tables: readonly CatalogueTable[]): string[] {
  const tenants = new Set(tables.map(({ name }) => name));
  return tables.flatMap((table) => {
    const column = table.name === 'projects' ? 'id' : 'project_id';
    const own = `(${column} = current_setting('assay.project'::text, true))`;
    const isPoliced =
      table.guarded &&
      table.policies.length === 1 &&
      table.policies.every(({ using, check }) => using === own && check === own);
    const shared = table.unique.filter(
      ({ name, first }) => first !== 'project_id' && !uniqueEverywhere.includes(name),
    );
    const crossing = table.foreign.filter(
      ({ to, pairs }) =>
        tenants.has(to) &&
        !pairs.includes(to === 'projects' ? 'project_id = id' : 'project_id = project_id'),
    );
    return [
      ...(table.nullable && !ofInstallation.includes(table.name) ? ['a null project'] : []),
      ...(isPoliced ? [] : ['no policy']),
      ...(table.unique.length === 0 ? ['no key'] : []),
      ...shared.map(({ name }) => `${name} is unique across projects`),
      ...crossing.map(({ to }) => `a reference to ${to} without the project`),
    ].map((fault) => `${table.name}: ${fault}`);
  });
}

test('S-4 each table of projects has a project in every row, in every key and in every reference to another, and the policy', async ({
  runtime,
}) => {
  const tables = await readTables(runtime.ctx.sql);
  expect(tables.length).toBeGreaterThan(80);
  expect(faultsOf(tables)).toEqual([]);
  const names = tables.flatMap(({ name, unique }) => [name, ...unique.map((each) => each.name)]);
  for (const excepted of [...ofInstallation, ...uniqueEverywhere])
    expect(names, 'an exception that is no longer needed').toContain(excepted);
});

test('S-4 a table without one of them is found', async ({ runtime }) => {
  const planted = [
    'create table planted_null (project_id text, id text, unique (project_id, id))',
    'create table planted_open (project_id text not null, id text, primary key (project_id, id))',
    'create table planted_shared (project_id text not null, id text primary key)',
    'create table planted_crossing (project_id text primary key, key_id text references api_keys (id), user_id text references users (id))',
  ];
  const policy = (name: string, own: string) =>
    `alter table ${name} enable row level security;
     create policy project_only on ${name} to ${tenantRole} using (${own}) with check (${own})`;
  const own = "project_id = current_setting('assay.project', true)";
  const undone = new Error('the planted tables are not kept');
  let found: string[] = [];
  const plant = runtime.ctx.sql.begin(async (tx) => {
    for (const statement of planted) await tx.unsafe(statement);
    for (const name of ['planted_null', 'planted_shared', 'planted_crossing'])
      await tx.unsafe(policy(name, own));
    await tx.unsafe(policy('planted_open', 'true'));
    found = faultsOf(await readTables(tx as unknown as Sql));
    throw undone;
  });
  await expect(plant).rejects.toBe(undone);
  expect(found).toEqual([
    'planted_crossing: a reference to api_keys without the project',
    'planted_null: a null project',
    'planted_open: no policy',
    'planted_shared: planted_shared_pkey is unique across projects',
  ]);
});
