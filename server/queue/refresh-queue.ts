import { sql as drizzleSql } from 'drizzle-orm';
import type { Fragment, Sql, TransactionSql } from 'postgres';
import { storableJson } from '../domain';
import type { Ctx, Database } from '../platform';

/**
 * The queue of subjects whose labelled verdicts (server/measures) must be recomputed. A transaction
 * that appends a label or an imported measurement, or draws for the audit, inserts two rows: one to
 * process at once, and one to process after every statement that could not see the label has
 * finished. A label and a verdict stored at the same moment do not see each other; the second
 * refresh sees both. The server aborts statements at their timeout and idle transactions at three
 * times the timeout, so none outlives six times the timeout.
 */

/**
 * The insert, as a statement or as a CTE.
 * @param rows a relation with `project_id` and `subject_id`; duplicates allowed
 */
export function refreshesOf({ sql }: Pick<Ctx, 'sql'>, rows: Fragment): Fragment {
  return sql`
    insert into judgement_dues (project_id, subject_id, due_at)
    select distinct r.project_id, r.subject_id, d.due_at from (${rows}) as r
    cross join lateral (values (now()), (now() + greatest(interval '1 minute', 6 * current_setting('statement_timeout')::interval))) as d(due_at)
    where r.subject_id is not null order by 1, 2, 3
    on conflict do nothing`;
}

/** The same, in a drizzle transaction. */
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
 * Inserts subjects to refresh.
 * @param rows project_id, subject_id, due_at, in the order of the key
 */
export function insertRefreshes(sql: Sql | TransactionSql, rows: Fragment): Fragment {
  return sql`
    insert into judgement_dues (project_id, subject_id, due_at) ${rows} on conflict do nothing`;
}

/** @param rows project_id, subject_id and due_at of processed rows, under these names */
export function endRefreshes(sql: Sql | TransactionSql, rows: Fragment): Fragment {
  return sql`
    delete from judgement_dues d using (${rows}) as done
    where d.project_id = done.project_id and d.subject_id = done.subject_id
      and d.due_at = done.due_at`;
}

/**
 * Postpones the pending refreshes of a subject.
 * @param after a PostgreSQL interval
 */
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

/** Projects with pending refreshes, by one index probe per project. */
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
