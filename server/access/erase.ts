import { sql as statement } from 'drizzle-orm';
import type { Sql, TransactionSql } from 'postgres';
import type { Database } from '../platform';

/* Changes to the tables of this module for deletion (server/lifecycle). */

type SqlClient = Sql | TransactionSql;

/**
 * From the commit on no one can enter the project. The slug is free immediately, so that a removed
 * demo can be created again.
 */
export async function closeProject(
  tx: Pick<Database, 'execute'>,
  projectId: string,
): Promise<void> {
  await tx.execute(statement`delete from members where project_id = ${projectId}`);
  await tx.execute(statement`delete from api_keys where project_id = ${projectId}`);
  await tx.execute(statement`update projects set slug = ${projectId} where id = ${projectId}`);
}

/** Deletes the project's row, once nothing else of the project is left. */
export async function deleteProject(sql: SqlClient, projectId: string): Promise<void> {
  // A worker may have sealed the last events after the chain was deleted.
  await sql`delete from audit_chains where project_id = ${projectId}`;
  await sql`delete from projects where id = ${projectId}`;
}

/**
 * Removes people's texts about deleted items from the audit log; actors, actions and times stay.
 */
export async function eraseAuditTexts(
  sql: SqlClient,
  projectId: string,
  targets: readonly string[],
): Promise<void> {
  await sql`
    update audit_events set detail = '{"deleted": true}'
    where project_id = ${projectId} and action not like 'data.%'
      and target in (select jsonb_array_elements_text(${JSON.stringify(targets)}::text::jsonb))`;
}

/** Deletes saved views that filter by deleted items. */
export async function deleteViewsOf(
  sql: SqlClient,
  projectId: string,
  target: string,
): Promise<void> {
  await sql`
    delete from saved_views where project_id = ${projectId}
      and (strpos(query, ${`=${target}`}) > 0
        or strpos(query, ${`=${encodeURIComponent(target)}`}) > 0)`;
}
