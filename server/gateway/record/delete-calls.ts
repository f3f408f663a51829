import type { Sql } from 'postgres';
import type { AnswerVerification } from '../../domain';
import { bucketOf } from '../../verdicts';
import { steerOf } from './store-calls';

interface DeletedCall {
  readonly id: string;
  readonly verification_id: string | null;
  readonly day: string;
  readonly held_ms: number | null;
  readonly episode: AnswerVerification | null;
}

/**
 * Deletes the calls of the given turns and sessions and subtracts them from the hourly and daily
 * counts. Returns their ids and the verification ids sent to their clients.
 * @param sql of a transaction
 */
export async function deleteCalls(
  sql: Sql,
  projectId: string,
  {
    turns,
    sessions,
    within,
  }: {
    readonly turns: readonly string[];
    readonly sessions: readonly string[];
    readonly within: readonly string[];
  },
): Promise<readonly { readonly id: string; readonly verificationId: string | null }[]> {
  const rows = await sql<DeletedCall[]>`
    with gone as (
      delete from gateway_calls c using (
        select id from gateway_calls where project_id = ${projectId}
          and session_id in (select jsonb_array_elements_text(${JSON.stringify(sessions)}::text::jsonb))
        union
        select id from gateway_calls where project_id = ${projectId}
          and session_id in (select jsonb_array_elements_text(${JSON.stringify([...within])}::text::jsonb))
          and turn_id in (select jsonb_array_elements_text(${JSON.stringify(turns)}::text::jsonb))
      ) named
      where c.project_id = ${projectId} and c.id = named.id
      returning c.project_id, c.id, c.verification_id, c.route, c.verdict, coalesce(c.reason, '') as reason, c.held_ms, c.episode, c.created_at
    ), uncounted as (
      update gateway_rollups r set calls = greatest(0, r.calls - g.n)
      from (select project_id, date_trunc('hour', created_at, 'UTC') as hour, route, verdict, reason, count(*) as n from gone group by 1, 2, 3, 4, 5) g
      where r.project_id = g.project_id and r.hour = g.hour and r.route = g.route and r.verdict = g.verdict and r.reason = g.reason
    )
    select id, verification_id, (created_at at time zone 'UTC')::date::text as day, held_ms, episode from gone`;
  await uncountDays(sql, projectId, rows);
  return rows.map((row) => ({ id: row.id, verificationId: row.verification_id }));
}

/** Undoes the counts of `insertCalls` (store-calls.ts). */
async function uncountDays(
  sql: Sql,
  projectId: string,
  rows: readonly DeletedCall[],
): Promise<void> {
  const counted = rows.map((row) => ({
    day: row.day,
    ef: steerOf(row.episode?.steer ?? null),
    hb: row.held_ms === null ? null : bucketOf(row.held_ms),
  }));
  const charted = counted.filter(({ ef, hb }) => ef !== null || hb !== null);
  if (charted.length === 0) return;
  await sql`
    with gone as (
      select * from jsonb_to_recordset(${JSON.stringify(charted)}::text::jsonb) as c(day date, ef text, hb int)
    )
    update gateway_days r set fixed = greatest(0, r.fixed - g.fixed), not_fixed = greatest(0, r.not_fixed - g.not_fixed),
      worse = greatest(0, r.worse - g.worse), unknown = greatest(0, r.unknown - g.unknown), withheld = greatest(0, r.withheld - g.withheld),
      undelivered = greatest(0, r.undelivered - g.undelivered), held = coalesce((
        select jsonb_object_agg(key, k::bigint - coalesce((g.held ->> key)::bigint, 0)) from jsonb_each_text(r.held) as had(key, k)
        where k::bigint > coalesce((g.held ->> key)::bigint, 0)), '{}')
    from (
      select day, count(*) filter (where ef = 'fixed') as fixed, count(*) filter (where ef = 'not_fixed') as not_fixed,
        count(*) filter (where ef = 'worse') as worse, count(*) filter (where ef = 'unknown') as unknown,
        count(*) filter (where ef = 'withheld') as withheld, count(*) filter (where ef = 'undelivered') as undelivered,
        coalesce((select jsonb_object_agg(hb, n) from (
          select hb, count(*) as n from gone o where o.day = gone.day and hb is not null group by hb) as buckets), '{}') as held
      from gone group by day
    ) g
    where r.project_id = ${projectId} and r.day = g.day`;
}
