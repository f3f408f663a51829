import type { Sql, TransactionSql } from 'postgres';

/**
 * Deletes the frozen items of subjects together with their results. The set continues with the
 * remaining items.
 */
export async function deleteAnchored(
  sql: Sql | TransactionSql,
  projectId: string,
  subjectIds: readonly string[],
): Promise<{ readonly anchor_items: number; readonly anchor_results: number }> {
  const ids = JSON.stringify(subjectIds);
  const [row] = await sql<{ items: number; results: number }[]>`
    with gone as (
      delete from anchor_items t using jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.subject_id = k.id returning t.set_id, t.ordinal
    ), answers as (
      delete from anchor_results a using anchor_runs r, gone
      where a.project_id = ${projectId} and r.project_id = ${projectId} and r.id = a.run_id
        and r.set_id = gone.set_id and a.ordinal = gone.ordinal
      returning 1
    ), lessened as (
      update anchor_sets s set items = s.items - g.n
      from (select set_id, count(*)::int as n from gone group by 1) g
      where s.project_id = ${projectId} and s.id = g.set_id
    )
    select (select count(*)::int from gone) as items,
      (select count(*)::int from answers) as results`;
  return { anchor_items: row?.items ?? 0, anchor_results: row?.results ?? 0 };
}
