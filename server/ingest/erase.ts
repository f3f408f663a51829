import type { Fragment, Sql, TransactionSql } from 'postgres';
import { countIntake } from './intake/count-intake';

/* Deletions from the tables of this module, for deletion and retention (server/lifecycle). */

type SqlClient = Sql | TransactionSql;

/**
 * Parts of a `with` that delete turns and subtract them from the daily counts: `gone_turns`, a row
 * for each, and `uncounted`.
 * @param ids a relation with `id`
 */
export function deleteTurns(sql: SqlClient, projectId: string, ids: Fragment): Fragment {
  return sql`
    gone_turns as (
      delete from turns t using (${ids}) as k where t.project_id = ${projectId} and t.id = k.id
      returning t.project_id, t.origin, (t.received_at at time zone 'UTC')::date as day
    ), uncounted as (${countIntake(
      sql,
      ['turns'],
      sql`select project_id, day, 'deleted', -count(*) from gone_turns where origin <> 'experiment'
        group by 1, 2 order by 1, 2`,
    )})`;
}

/** Deletes the spans of traces and subtracts them from the daily counts. Returns segments. */
export async function deleteSegments(
  sql: SqlClient,
  projectId: string,
  traceIds: readonly string[],
): Promise<number> {
  const ids = JSON.stringify(traceIds);
  const [row] = await sql<{ n: number }[]>`
    with gone as (
      delete from trace_segments t using jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.trace_id = k.id
      returning t.project_id, t.spans, (t.received_at at time zone 'UTC')::date as day
    ), uncounted as (${countIntake(
      sql,
      ['spans'],
      sql`select project_id, day, 'deleted', -sum(spans) from gone group by 1, 2 order by 1, 2`,
    )})
    select count(*)::int as n from gone`;
  return row?.n ?? 0;
}

/** @param places `ctid` of the rows */
export function deleteSessions(sql: SqlClient, places: Fragment): Fragment {
  return sql`delete from sessions where ctid in (${places})`;
}

/**
 * Deletes sessions for which a condition holds. Returns id.
 * @param ids as JSON
 * @param condition about the session `s`
 */
export function deleteSessionsIf(
  sql: SqlClient,
  projectId: string,
  ids: string,
  condition: Fragment,
): Fragment {
  return sql`
    delete from sessions s using jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
    where s.project_id = ${projectId} and s.id = k.id and (${condition}) returning s.id`;
}

/** @param ids a relation with `id` */
export function deletePipelines(sql: SqlClient, projectId: string, ids: Fragment): Fragment {
  return sql`
    delete from pipelines p using (${ids}) as k where p.project_id = ${projectId} and p.id = k.id`;
}

/** Deletes pipelines last seen more than this many days ago, at most `limit`. */
export async function prunePipelines(
  sql: SqlClient,
  projectId: string,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<number> {
  const done = await sql`
    delete from pipelines p where p.ctid in (
      select ctid from pipelines
      where project_id = ${projectId} and last_at < now() - ${days} * interval '1 day'
      limit ${limit})`;
  return done.count;
}

/** Deletes dead letters of the project for which a condition about the letter holds. */
export async function deleteDeadLetters(
  sql: SqlClient,
  projectId: string,
  condition: Fragment,
): Promise<void> {
  await sql`delete from dead_letters where project_id = ${projectId} and (${condition})`;
}

/** Deletes the stored answers of finished requests. */
export async function deleteAnswers(sql: SqlClient, projectId: string): Promise<void> {
  await sql`delete from idempotency_keys where project_id = ${projectId} and status <> 0`;
}
