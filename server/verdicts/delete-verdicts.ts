import type { Fragment, Sql } from 'postgres';
import { storedKindsOf } from '../catalog';
import { partColumn } from './populations';
import { spreadOffset, spreadRatio } from './spreads';

/**
 * The kinds of a project's subjects, as in `verdicts.subject_kind` and `subjects.kind`: an array.
 */
export const subjectKindsOf = (sql: Sql, projectId: string): Fragment =>
  storedKindsOf(sql, projectId, ['trace']);

export interface DeletedVerdict {
  readonly id: string;
  readonly subject_id: string;
}

/**
 * Deletes the verdicts of some subjects, and subtracts them from every daily count written on
 * settling (settle-counters.ts, settle-spreads.ts), so that charts and measures describe the
 * remaining verdicts. The caller deletes the rows that refer to a verdict (scores, deliveries). A
 * count never falls below 0: verdicts that settled under a release without these counts need no
 * subtraction.
 * @param sql a transaction that has already deleted the subjects' work, so that nothing settles in
 * the meantime
 */
export async function deleteVerdicts(
  sql: Sql,
  projectId: string,
  subjectIds: readonly string[],
): Promise<readonly DeletedVerdict[]> {
  if (subjectIds.length === 0) return [];
  return sql<DeletedVerdict[]>`
    with deleted as (
      delete from verdicts v using jsonb_array_elements_text(${JSON.stringify(subjectIds)}::text::jsonb) as s(id)
      where v.project_id = ${projectId} and v.subject_kind = any (${subjectKindsOf(sql, projectId)}) and v.subject_id = s.id
      returning v.project_id, v.id, v.subject_id, v.verifier_slug, v.outcome, v.score, v.judge_calls, v.cost_usd, v.detail, v.kind,
        extract(epoch from v.settled_at - v.created_at) * 1000 as wait_ms, coalesce(v.model, '') as model, coalesce(v.judge_model, '') as judge,
        v.verifier_version as version, v.cross_model is not distinct from 'self' as self, (v.settled_at at time zone 'UTC')::date as day,
        date_trunc('hour', v.settled_at, 'UTC') as hour, v.superseded, v.experiment_id
    ), gone as (
      select * from deleted where experiment_id is null
    ), counted as (
      select * from gone where not superseded
    ), ${uncounted(sql)}, ${unspread(sql)}
    select id, subject_id from deleted`;
}

/** Deletes subjects other than turns. @param ids a relation with `id` */
export function deleteSubjects(sql: Sql, projectId: string, ids: Fragment): Fragment {
  return sql`
    delete from subjects t using (${ids}) as k
    where t.project_id = ${projectId} and t.kind = any (${subjectKindsOf(sql, projectId)}) and t.id = k.id
    returning 1`;
}

const outcomes = [
  'passed',
  'failed',
  'needs_review',
  'steered',
  'inconclusive',
  'skipped',
] as const;

const list = (sql: Sql, parts: readonly Fragment[]): Fragment =>
  parts.reduce((before, part) => sql`${before}, ${part}`);
const counts = (sql: Sql): Fragment =>
  list(
    sql,
    outcomes.map((outcome) => sql`count(*) filter (where outcome = ${outcome}) as ${sql(outcome)}`),
  );
const lessened = (sql: Sql, names: readonly string[]): Fragment =>
  list(
    sql,
    names.map((name) => sql`${sql(name)} = greatest(0, r.${sql(name)} - g.${sql(name)})`),
  );

function uncounted(sql: Sql): Fragment {
  return sql`
    unrolled as (
      update verdict_rollups r set ${lessened(sql, [...outcomes, 'self_passed', 'self_failed'])}
      from (select project_id, day, verifier_slug, model, ${counts(sql)}, count(*) filter (where outcome = 'passed' and self) as self_passed,
        count(*) filter (where outcome = 'failed' and self) as self_failed from counted group by 1, 2, 3, 4) g
      where r.project_id = g.project_id and r.day = g.day and r.verifier_slug = g.verifier_slug and r.model = g.model
    ), unhoured as (
      update verdict_hours r set ${lessened(sql, outcomes)}
      from (select project_id, hour, verifier_slug, ${counts(sql)} from counted group by 1, 2, 3) g
      where r.project_id = g.project_id and r.hour = g.hour and r.verifier_slug = g.verifier_slug
    ), unpopulated as (
      update verdict_populations r set ${lessened(sql, ['passed', 'failed'])}
      from (select project_id, verifier_slug, day, version, model, judge, self, ${partColumn(sql)} as part, ${counts(sql)}
        from counted group by 1, 2, 3, 4, 5, 6, 7, 8) g
      where r.project_id = g.project_id and r.verifier_slug = g.verifier_slug and r.day = g.day and r.version = g.version and r.model = g.model
        and r.judge = g.judge and r.self = g.self and r.part = g.part
    ), unchecked as (
      update integrity_rollups r set ${lessened(sql, ['answers', 'fallback_scans', 'figures', 'unsourced', 'reprompts', 'reprompts_helped'])}
      from (select project_id, day, model, count(*) as answers, count(*) filter (where detail ->> 'mode' = 'fallback_scan') as fallback_scans,
        sum(jsonb_array_length(detail -> 'figures')) as figures, sum((detail ->> 'unsourced')::int) as unsourced,
        count(*) filter (where (detail ->> 'reprompt_used')::boolean) as reprompts,
        count(*) filter (where (detail ->> 'reprompt_used')::boolean and (detail ->> 'unsourced')::int = 0) as reprompts_helped
        from counted where kind = 'integrity' and jsonb_typeof(detail -> 'fields') = 'object' group by 1, 2, 3) g
      where r.project_id = g.project_id and r.day = g.day and r.model = g.model
    )`;
}

/** Computes buckets as `bucketOf` does (spreads.ts), and removes empty ones. */
function unspread(sql: Sql): Fragment {
  const value = sql`value`;
  const bucket = sql`case when ${value} = 0 then 0 else sign(${value})::int * least(greatest(
    ceil(ln(abs(${value})) / ln(${spreadRatio}::double precision))::int + ${spreadOffset}::int, 1), ${2 * spreadOffset}::int) end`;
  return sql`
    unspread as (
      update verdict_spreads r set counts = coalesce((
        select jsonb_object_agg(key, k::bigint - coalesce((g.counts ->> key)::bigint, 0)) from jsonb_each_text(r.counts) as had(key, k)
        where k::bigint > coalesce((g.counts ->> key)::bigint, 0)), '{}')
      from (
        select project_id, day, verifier_slug, model, measure, jsonb_object_agg(bucket, n) as counts
        from (
          select project_id, day, verifier_slug, model, measure, ${bucket} as bucket, count(*) as n
          from gone, lateral (values ('score', case when not superseded then score end),
            ('failed_score', case when outcome = 'failed' and not superseded then score end),
            ('cost', case when judge_calls > 0 then cost_usd end), ('wait', wait_ms::double precision)) as each(measure, value)
          where value is not null and outcome <> 'skipped' group by 1, 2, 3, 4, 5, 6
        ) as buckets group by 1, 2, 3, 4, 5
      ) g
      where r.project_id = g.project_id and r.day = g.day and r.verifier_slug = g.verifier_slug and r.model = g.model and r.measure = g.measure
    )`;
}
