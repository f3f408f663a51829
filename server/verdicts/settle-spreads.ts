import type { Fragment, Sql } from 'postgres';
import { insertRefreshes } from '../queue';
import { spreadOffset, spreadRatio } from './spreads';

/** The bucket of a value; must equal `bucketOf` (spreads.ts). */
function bucket(sql: Sql, value: Fragment): Fragment {
  return sql`case when ${value} = 0 then 0 else sign(${value})::int * least(greatest(
    ceil(ln(abs(${value})) / ln(${spreadRatio}::double precision))::int + ${spreadOffset}::int, 1), ${2 * spreadOffset}::int) end`;
}

/**
 * The common table expressions of the settling statement that count the spreads of scores, costs
 * and waits; the text before them leaves a parenthesis open. Read `stored` and `counting`: the
 * score of a superseded verdict is subtracted, but its cost and wait remain. Rows are written in
 * key order, so that two statements never deadlock. Only the affected buckets of the stored counts
 * are unpacked.
 */
export function spread(sql: Sql): Fragment {
  return sql`
    ), measured_now as (
      select project_id, day, verifier_slug, model, measure, value, 1 as sign
      from stored, lateral (values ('cost', case when judge_calls > 0 then cost_usd end),
        ('wait', wait_ms::double precision)) as each(measure, value)
      where value is not null and outcome <> 'skipped'
      union all
      select project_id, day, verifier_slug, model, measure, value, sign
      from counting c, lateral (values ('score', score),
        ('failed_score', case when outcome = 'failed' then score end)) as each(measure, value)
      where value is not null and outcome <> 'skipped' and (sign = 1 or exists (
        select from verdict_spreads k where k.project_id = c.project_id and k.day = c.day
          and k.verifier_slug = c.verifier_slug and k.model = c.model and k.measure = each.measure))
    ), spread as (
      insert into verdict_spreads as r (project_id, day, verifier_slug, model, measure, counts)
      select project_id, day, verifier_slug, model, measure, jsonb_object_agg(bucket, n)
      from (
        select project_id, day, verifier_slug, model, measure, ${bucket(sql, sql`value`)} as bucket, sum(sign) as n
        from measured_now group by 1, 2, 3, 4, 5, 6
      ) as buckets group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (project_id, day, verifier_slug, model, measure) do update set counts = r.counts || (
        select jsonb_object_agg(key, greatest(0, n::bigint + coalesce((r.counts ->> key)::bigint, 0)))
        from jsonb_each_text(excluded.counts) as added(key, n)
      )`;
}

/**
 * The common table expression that enqueues the subjects that already have a label, because their
 * labelled verdicts must be recomputed (server/queue/refresh-queue.ts). Reads `stored`.
 */
export function refreshesNoted(sql: Sql): Fragment {
  return sql`
    ), due as (${insertRefreshes(
      sql,
      sql`
      select distinct s.project_id, s.subject_id, now() from stored s cross join lateral (
        select from labels where project_id = s.project_id and subject_id = s.subject_id limit 1
      ) as labelled
      order by 1, 2`,
    )}`;
}
