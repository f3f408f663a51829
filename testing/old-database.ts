import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { Sql } from 'postgres';
import { migrateTo } from '../db/migrate';

/** The database of an earlier release, from a backup that this release wrote. */

/**
 * Creates the schema of the release and its rows, and applies no later migration.
 * @returns the number of migrations of the release
 */
export async function restoreUnmigrated(file: string, url: string, sql: Sql): Promise<number> {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  const head = JSON.parse(lines[0] ?? '') as { migrations: number };
  await migrateTo(url, head.migrations);
  await sql.begin(async (tx) => {
    // Rows of a table may refer to those of a later one.
    await tx`set local session_replication_role = 'replica'`;
    for (let at = 1; at < lines.length; ) {
      const start = JSON.parse(lines[at] ?? '') as { table?: string; columns?: string[] };
      if (start.table === undefined) break;
      const end = lines.indexOf('\\.', at);
      const columns = (start.columns ?? []).map((name) => `"${name}"`).join(', ');
      const copy = await tx.unsafe(`copy "${start.table}" (${columns}) from stdin`).writable();
      const rows = lines.slice(at + 1, end).map((line) => `${line}\n`);
      await pipeline(Readable.from(rows), copy);
      at = end + 2;
    }
  });
  return head.migrations;
}

/** A key of the project with all scopes of the first release, in the columns that it had. */
export async function insertOldKey(sql: Sql, projectId: string): Promise<string> {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
  const id = randomBytes(10).toString('hex');
  const secret = randomBytes(20).toString('base64url');
  const body = `asy_ivrw_${id}_${secret}`;
  await sql`
    insert into api_keys (project_id, id, name, secret_hash, scopes, masked, created_by)
    values (${projectId}, ${id}, 'upgrade', ${digest(secret)},
      ${['ingest', 'verify', 'read', 'write']}, ${`asy_ivrw_${id.slice(0, 4)}…`}, 'test')`;
  return body + digest(body).slice(0, 6);
}

export interface Row {
  /** The values of the primary key as JSON. */
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface Table {
  readonly name: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
}

/** The tables that have a primary key, with their columns. */
export function listTables(sql: Sql): Promise<Table[]> {
  return sql<Table[]>`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any(i.indkey) order by a.attnum) as keys,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attname) as columns
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`;
}

/**
 * All rows with the named columns.
 * @throws Error if two rows have the same values in the key columns
 */
export async function readRows(sql: Sql, { name, keys, columns }: Table): Promise<Row[]> {
  const list = (names: readonly string[]): string =>
    names.map((each) => `'${each}', "${each}"`).join(', ');
  // A function takes at most 100 arguments.
  const parts = Array.from({ length: Math.ceil(columns.length / 40) }, (_, at) =>
    columns.slice(at * 40, at * 40 + 40),
  );
  const whole = parts.map((part) => `jsonb_build_object(${list(part)})`).join(' || ');
  const rows = await sql.unsafe<{ key: string; row: string }[]>(
    `select jsonb_build_array(${keys.map((key) => `"${key}"`).join(', ')})::text as key,
       (${whole})::text as row from "${name}"`,
  );
  const seen = new Set<string>();
  for (const { key } of rows) {
    if (seen.has(key)) throw new Error(`${name}: two rows have the key ${key}`);
    seen.add(key);
  }
  return rows.map(({ key, row }) => ({
    key,
    values: JSON.parse(row) as Record<string, unknown>,
  }));
}
