import { sql as drizzleSql } from 'drizzle-orm';
import type { Fragment, Sql, TransactionSql } from 'postgres';
import { storableJson } from '../domain';
import type { Ctx, Database } from '../platform';

/**
 * Subjects whose judgements (server/measures) are to be made again. Whoever appends a label or
 * an imported measurement, or draws for the audit, writes two rows in the same transaction: one due
 * at once, and one due when every statement that could not see the label has ended. A label and a
 * verdict that are stored at the same moment see nothing of each other; the second look sees both.
 * The server cuts statements at their limit, and transactions that idle at three times as much: six
 * times the limit is longer than any lives.
 */

/**
 * The insert that notes them, as a statement or as a part of one.
 * @param rows a relation with `project_id` and `subject_id`, doubles allowed
 */
export function refreshesOf({ sql }: Pick<Ctx, 'sql'>, rows: Fragment): Fragment {
  return sql`
    insert into judgement_dues (project_id, subject_id, due_at)
    select distinct r.project_id, r.subject_id, d.due_at from (${rows}) as r
    cross join lateral (values (now()), (now() + greatest(interval '1 minute', 6 * current_setting('statement_timeout')::interval))) as d(due_at)
    where r.subject_id is not null order by 1, 2, 3
    on conflict do nothing`;
}

/** The same in a transaction of drizzle's. */
export async function enqueueRefresh(
  db: Pick<Database, 'execute'>,
  { projectId }: { readonly projectId: string },
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length === 0) return;
  await db.execute(drizzleSql`
    insert into judgement_dues (project_id, subject_id, due_at)
    select ${projectId}, s.id, d.due_at from jsonb_array_elements_text(${storableJson([...new Set(subjectIds)])}::text::jsonb) as s(id)
    cross join lateral (values (now()), (now() + greatest(interval '1 minute', 6 * current_setting('statement_timeout')::interval))) as d(due_at)
    order by 1, 2, 3 on conflict do nothing`);
}

/**
 * Notes subjects whose judgements are to be made.
 * @param rows project_id, subject_id, due_at, in the order of the key
 */
export function insertRefreshes(sql: Sql | TransactionSql, rows: Fragment): Fragment {
  return sql`
    insert into judgement_dues (project_id, subject_id, due_at) ${rows} on conflict do nothing`;
}

/** @param rows project_id, subject_id and due_at of what is done, under these names */
export function endRefreshes(sql: Sql | TransactionSql, rows: Fragment): Fragment {
  return sql`
    delete from judgement_dues d using (${rows}) as done
    where d.project_id = done.project_id and d.subject_id = done.subject_id
      and d.due_at = done.due_at`;
}

/** Has what is due of a subject wait. @param after an interval of PostgreSQL */
export async function postponeRefreshes(
  sql: Sql | TransactionSql,
  { projectId, subjectId }: { readonly projectId: string; readonly subjectId: string },
  after: string,
): Promise<void> {
  await sql`
    with held as (
      delete from judgement_dues
      where project_id = ${projectId} and subject_id = ${subjectId} and due_at <= now()
      returning project_id
    )
    ${insertRefreshes(sql, sql`select distinct project_id, ${subjectId}, now() + ${after}::text::interval from held`)}`;
}

/** Projects that have something due, one probe of the index a project. */
export async function listProjectsToRefresh({ sql }: Pick<Ctx, 'sql'>): Promise<string[]> {
  const rows = await sql<{ project_id: string }[]>`
    with recursive each as (
      (select project_id, due_at from judgement_dues order by project_id, due_at limit 1)
      union all
      select following.* from each cross join lateral (
        select project_id, due_at from judgement_dues where project_id > each.project_id order by project_id, due_at limit 1
      ) as following
    ) select project_id from each where due_at <= now()`;
  return rows.map((row) => row.project_id);
}
