import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from 'postgres';

/**
 * Builds indexes on tables that may be large, before the migration that declares them. A migration
 * is one transaction, in which a plain `create index` blocks writers until the end (R-41);
 * `concurrently` does not block them, but cannot run in a transaction. A migration declares these
 * indexes with `CREATE INDEX IF NOT EXISTS`, which then does nothing. If they need a new column, it
 * declares the column with `ADD COLUMN IF NOT EXISTS`, and it is added first.
 */
export async function buildBigIndexes(sql: Sql, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    await sql.unsafe(`set lock_timeout = '2s'`);
    for (const [column] of text.matchAll(/ALTER TABLE "[^"]+" ADD COLUMN IF NOT EXISTS [^;]+;/g))
      await unlessMissing(sql.unsafe(column));
    await sql.unsafe('set lock_timeout = 0');
    for (const [, name = '', rest = ''] of text.matchAll(
      /CREATE INDEX IF NOT EXISTS "([^"]+)" (ON [^;]+);/g,
    )) {
      await buildIndex(sql, name, rest);
    }
  }
}

/**
 * Undefined table or column: the migration itself creates it, so it is empty when the index is
 * built.
 */
const isMissing = new Set(['42P01', '42703']);

async function buildIndex(sql: Sql, name: string, definition: string): Promise<void> {
  // An interrupted build leaves an invalid index.
  const [left] = await sql`
    select 1 from pg_class c join pg_index i on i.indexrelid = c.oid
    where c.relname = ${name} and c.relnamespace = 'public'::regnamespace and not i.indisvalid`;
  if (left !== undefined) await sql.unsafe(`drop index concurrently if exists "${name}"`);
  await unlessMissing(
    sql.unsafe(`create index concurrently if not exists "${name}" ${definition}`),
  );
}

async function unlessMissing(statement: Promise<unknown>): Promise<void> {
  try {
    await statement;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isMissing.has(String(error.code))))
      throw error;
  }
}

/** The migration files that a database with `applied` migrations still needs. */
export function missingMigrations(folder: string, applied: number): string[] {
  const journal = JSON.parse(readFileSync(join(folder, 'meta', '_journal.json'), 'utf8')) as {
    entries: readonly { tag: string }[];
  };
  return journal.entries.slice(applied).map(({ tag }) => join(folder, `${tag}.sql`));
}
