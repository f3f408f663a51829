import type { Fragment, Sql } from 'postgres';
import { partColumn } from './populations';

/**
 * Whether the verifier already has a verdict on a later revision of `i`, a row of `input` in the
 * settling statement: a slow judge may finish after the judge of the next revision.
 */
export function isOutdated(sql: Sql): Fragment {
  return sql`
    exists (select from verdicts later where later.project_id = i.p
      and later.subject_kind = i.subject_kind and later.subject_id = i.subject_id
      and later.verifier_slug = i.slug and later.revision > i.revision)`;
}

/**
 * The common table expressions of the settling statement that mark verdicts on earlier revisions as
 * superseded; the text before them leaves a parenthesis open. The last one, `counting`, has the
 * changes of the daily counts: `sign` is 1 for verdicts stored now, and -1 for those that they
 * supersede. It omits costs and waits, which are not subtracted. Read `input` and `stored`.
 */
export function superseded(sql: Sql): Fragment {
  return sql`
    ), replaced as (
      update verdicts v set superseded = true
      from (
        select distinct earlier.project_id, earlier.id from stored s cross join lateral (
          select e.project_id, e.id from verdicts e
          where e.project_id = s.project_id and e.subject_kind = s.subject_kind
            and e.subject_id = s.subject_id and e.revision < s.revision
            and e.verifier_slug = s.verifier_slug and not e.superseded offset 0
        ) as earlier
        where s.revision > 1 order by 1, 2
      ) as gone
      where v.project_id = gone.project_id and v.id = gone.id and not v.superseded
      returning v.*
    ), counting as (
      select 1 as sign, s.project_id, s.day, s.hour, s.verifier_slug, s.version, s.model, s.judge,
        s.self, s.part, s.outcome, s.score,
        i.ran, i.fallback, i.figures, i.unsourced, i.reprompt
      from stored s join input i on i.p = s.project_id and i.id = s.id
      where not s.superseded
      union all
      select -1, project_id, (settled_at at time zone 'UTC')::date,
        date_trunc('hour', settled_at, 'UTC'), verifier_slug, verifier_version,
        coalesce(model, ''), coalesce(judge_model, ''), cross_model is not distinct from 'self',
        ${partColumn(sql)}, outcome, score,
        (kind = 'integrity' and jsonb_typeof(detail -> 'fields') = 'object')::int,
        (detail ->> 'mode' is not distinct from 'fallback_scan')::int,
        case when jsonb_typeof(detail -> 'figures') = 'array'
          then jsonb_array_length(detail -> 'figures') else 0 end,
        case when kind = 'integrity' then coalesce((detail ->> 'unsourced')::int, 0) else 0 end,
        case when kind = 'integrity'
          then coalesce((detail ->> 'reprompt_used')::boolean, false) else false end::int
      from replaced`;
}
