import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { schema } from '../../../db';
import { deleteProject } from '../../access';
import type { Ctx } from '../../platform';
import type { DeletionRow } from './deletion';

/** Number of rows that one statement deletes from a table. */
const batchRows = 5_000;

/** The tables that outlive a project, as the record of its deletion. */
const keptTables = new Set(['tombstones', 'deletions']);

/** Every table with a `project_id`, derived from the schema to include new tables. */
export const projectTables: readonly string[] = Object.values(schema)
  .filter((each) => is(each, PgTable))
  .map((table) => getTableConfig(table))
  .filter(({ columns }) => columns.some(({ name }) => name === 'project_id'))
  .map(({ name }) => name)
  .sort();

/**
 * Deletes the sources of new rows first (access, and the work) and the project itself last. Returns
 * null when nothing is left.
 */
export async function eraseProject(
  { sql }: Pick<Ctx, 'sql'>,
  { project_id: projectId, cursor }: DeletionRow,
): Promise<Record<string, string> | null> {
  const first = ['members', 'claims', 'api_keys', 'work', 'jobs'];
  const tables = [
    ...first,
    ...projectTables.filter((name) => !keptTables.has(name) && !first.includes(name)),
  ];
  const from = Math.max(0, cursor.table === undefined ? 0 : tables.indexOf(cursor.table));
  for (const table of tables.slice(from)) {
    const done = await sql`
      delete from ${sql(table)} where ctid in (select ctid from ${sql(table)} where project_id = ${projectId} limit ${batchRows})`;
    if (done.count === batchRows) return { table };
  }
  await deleteProject(sql, projectId);
  return null;
}
