import type { Sql } from 'postgres';

/**
 * Row-level security as a safety net for every tenant query (reliability.md S-3). Queries filter by
 * the `project_id` of their context; if a query does not, PostgreSQL still neither returns nor
 * changes rows of other projects.
 *
 * The role `assay_app` owns nothing, cannot log in and is subject to the policies. `tenantClient`
 * switches to it for the duration of a transaction and stores the project id in the setting
 * `assay.project`. Processes connect as the owner of the tables, which is exempt: claiming work,
 * looking up keys and storing input span projects.
 */
export const tenantRole = 'assay_app';
/** The setting that policies compare with. If it is unset or empty, it matches no project. */
export const projectSetting = 'assay.project';

/**
 * Tables without `project_id` that tenant queries read, with the readable columns. No other
 * privileges are granted on them.
 */
const readOnly: ReadonlyMap<string, string> = new Map([
  ['users', 'id, name, email'],
  ['worker_boxes', 'state, reason, fix, level, checked_at, noted_at'],
]);

/**
 * Whether row-level security is active in this database; `advice` explains to an administrator how
 * to enable it.
 */
export type RlsStatus =
  | { readonly on: true }
  | { readonly on: false; readonly reason: string; readonly advice: string };

/** A table of the schema `public`, from the system catalogue. */
interface TableRow {
  name: string;
  column: string | null;
  guarded: boolean;
  policed: boolean;
  granted: boolean;
  readable: boolean;
}

/**
 * Creates the role and updates grants and policies; repeating it changes nothing and takes no lock.
 * Reads the system catalogue, so it covers every table with a `project_id`, including new ones.
 * @throws Error for anything but missing privileges
 */
export async function secureTables(sql: Sql): Promise<RlsStatus> {
  try {
    await ensureRole(sql);
    const tables = await sql<TableRow[]>`
      select c.relname as name, c.relrowsecurity as guarded,
        case when c.relname = 'projects' then 'id' when a.attname is not null then 'project_id' end as "column",
        exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'project_only') as policed,
        has_table_privilege(${tenantRole}, c.oid, 'select') and has_table_privilege(${tenantRole}, c.oid, 'insert')
          and has_table_privilege(${tenantRole}, c.oid, 'update') and has_table_privilege(${tenantRole}, c.oid, 'delete') as granted,
        has_any_column_privilege(${tenantRole}, c.oid, 'select') as readable
      from pg_class c
      left join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname`;
    const statements = tables.flatMap(statementsFor);
    if (statements.length > 0) await sql.unsafe(statements.join(';\n'));
    return await readRlsStatus(sql);
  } catch (error) {
    if (!lacksPrivileges(error)) throw error;
    return offFor(sql, error instanceof Error ? error.message : 'not permitted');
  }
}

function statementsFor({ name, column, guarded, policed, granted, readable }: TableRow): string[] {
  const table = quote(name);
  const columns = readOnly.get(name);
  if (columns !== undefined)
    return readable ? [] : [`grant select (${columns}) on ${table} to ${tenantRole}`];
  if (column === null) return [];
  const isOwnProject = `${column} = current_setting('${projectSetting}', true)`;
  return [
    ...(guarded ? [] : [`alter table ${table} enable row level security`]),
    ...(policed
      ? []
      : [
          `create policy project_only on ${table} to ${tenantRole} using (${isOwnProject}) with check (${isOwnProject})`,
        ]),
    ...(granted ? [] : [`grant select, insert, update, delete on ${table} to ${tenantRole}`]),
  ];
}

/**
 * Roles belong to the whole cluster, so concurrent migrations of two databases may conflict here.
 */
async function ensureRole(sql: Sql): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    try {
      const [role] = await sql`select 1 from pg_roles where rolname = ${tenantRole}`;
      if (role === undefined)
        await sql.unsafe(
          `create role ${tenantRole} nologin nosuperuser nobypassrls nocreatedb nocreaterole`,
        );
      const [member] = await sql<{ may: boolean }[]>`select ${maySet(sql)} as may`;
      if (member?.may !== true) await sql.unsafe(`grant ${tenantRole} to current_user`);
      return;
    } catch (error) {
      if (attempts === 4 || !isRaceError.has(codeOf(error))) throw error;
    }
  }
}

/**
 * The errors if another process creates the role (42710, 23505) or changes its row concurrently
 * (XX000, "tuple concurrently updated").
 */
const isRaceError = new Set(['42710', '23505', 'XX000']);

/** Whether the connected user may switch to the role. Before PostgreSQL 16, every member may. */
const maySet = (sql: Sql) =>
  sql`pg_has_role(current_user, ${tenantRole}, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)`;

/**
 * Whether row-level security is active for this user in this database: the user may switch to the
 * role, and all tenant tables have policies.
 */
export async function readRlsStatus(sql: Sql): Promise<RlsStatus> {
  const [role] = await sql<{ strong: boolean }[]>`
    select not rolsuper and not rolbypassrls as strong from pg_roles where rolname = ${tenantRole}`;
  if (role === undefined) return offFor(sql, `there is no role "${tenantRole}"`);
  if (!role.strong) return offFor(sql, `the role "${tenantRole}" passes by row-level security`);
  const [state] = await sql<{ may: boolean; open: string[] }[]>`
    select ${maySet(sql)} as may, (
      select coalesce(jsonb_agg(c.relname), '[]') from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'project_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and not (c.relrowsecurity and has_table_privilege(${tenantRole}, c.oid, 'select'))
    ) as open`;
  if (state?.may !== true) return offFor(sql, `the database user may not become "${tenantRole}"`);
  if (state.open.length > 0) return offFor(sql, `not guarded yet: ${state.open.join(', ')}`);
  return { on: true };
}

async function offFor(sql: Sql, reason: string): Promise<RlsStatus> {
  const [who] = await sql<{ name: string }[]>`select quote_ident(current_user) as name`;
  const advice = `create role ${tenantRole} nologin; grant ${tenantRole} to ${who?.name ?? 'current_user'};`;
  return { on: false, reason, advice: `as an administrator run "${advice}", then "assay migrate"` };
}

function lacksPrivileges(error: unknown): boolean {
  return codeOf(error) === '42501';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
