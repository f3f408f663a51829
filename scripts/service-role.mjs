// The role of Assay's processes in the embedded PostgreSQL: it owns the database without superuser
// rights (S-128). The cluster's superuser `assay` is used only here, at each start, and by no
// process that takes input.
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';

/** The login role of web, edge, worker and the commands. */
export const serviceRole = 'assay_service';
/** The role of queries inside one project (db/secure.ts). */
const tenantRole = 'assay_app';
/** Next to the superuser's password, in the cluster's folder, so that it moves with the data. */
const passwordFile = 'assay.service.password';

/**
 * Creates or updates the role, and makes it the owner of the database and everything in it, since
 * an earlier release left everything to the superuser.
 * @param {{ url: string, dataDir: string }} cluster `url` is the superuser's
 * @returns {Promise<string>} the database URL for the role
 */
export async function ensureServiceRole({ url, dataDir }) {
  const { default: postgres } = await import('postgres');
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const password = servicePassword(join(dataDir, 'postgres'));
  try {
    await sql.begin(async (tx) => {
      await makeRoles(tx, password);
      await tx.unsafe(`alter database assay owner to ${serviceRole}`);
      const statements = await tx.unsafe(`${ownedBySuperuser}`);
      for (const { statement } of statements)
        await tx.unsafe(`${statement} owner to ${serviceRole}`);
    });
  } catch (error) {
    throw new Failure(
      `The database role "${serviceRole}" could not be prepared: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await sql.end({ timeout: 5 });
  }
  const address = new URL(url);
  address.username = serviceRole;
  address.password = password;
  return address.href;
}

/**
 * @param {import('postgres').TransactionSql} tx
 * @param {string} password base64url, so it needs no escaping
 */
async function makeRoles(tx, password) {
  const rows =
    await tx`select rolname from pg_roles where rolname in (${serviceRole}, ${tenantRole})`;
  const known = new Set(rows.map(({ rolname }) => rolname));
  const rights = 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
  if (!known.has(tenantRole)) await tx.unsafe(`create role ${tenantRole} nologin ${rights}`);
  const verb = known.has(serviceRole) ? 'alter' : 'create';
  await tx.unsafe(`${verb} role ${serviceRole} with login ${rights} password '${password}'`);
  await tx.unsafe(`grant ${tenantRole} to ${serviceRole}`);
}

/**
 * Schemas, tables and similar objects, types and functions outside the system's schemas that the
 * superuser owns, each as the beginning of a statement. Dependent objects (a table's sequence and
 * row type, a type's array, an extension's members) follow their owner.
 */
const ownedBySuperuser = `
  with own as (
    select n.oid, n.nspname, n.nspowner from pg_namespace n
    where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  ), part as (
    select classid, objid from pg_depend where deptype in ('e', 'a', 'i')
  ), me as (select oid from pg_roles where rolname = current_user)
  select format('alter schema %I', nspname) as statement from own where nspowner = (table me)
  union all
  select format('alter table %I.%I', nspname, relname) from pg_class c join own n on n.oid = c.relnamespace
  where relowner = (table me) and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and not (relkind = 'S' and exists (select from part where classid = 'pg_class'::regclass and objid = c.oid))
  union all
  select format('alter type %I.%I', nspname, typname) from pg_type t join own n on n.oid = t.typnamespace
  where typowner = (table me) and (typtype in ('e', 'd', 'r')
    or typtype = 'c' and (select relkind from pg_class where oid = typrelid) = 'c')
  union all
  select format('alter routine %s', p.oid::regprocedure) from pg_proc p join own n on n.oid = p.pronamespace
  where proowner = (table me) and not exists (select from part where classid = 'pg_proc'::regclass and objid = p.oid)`;

/**
 * @param {string} clusterDir
 * @returns {string}
 */
function servicePassword(clusterDir) {
  const file = join(clusterDir, passwordFile);
  const stored = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  if (/^[\w-]{32,}$/.test(stored)) return stored;
  const password = randomBytes(24).toString('base64url');
  writeFileSync(file, password, { mode: 0o600 });
  const { uid, gid } = statSync(clusterDir);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
  return password;
}
