import type { Fragment, Sql } from 'postgres';

/** Query fragments shared by several functions for pipelines. */

/**
 * Repeats the exact condition of the partial indexes `…_pipeline` and `…_checkpoints`, so that the
 * planner can use them.
 */
export const ofCheckpoints = (sql: Sql): Fragment =>
  sql`kind in ('decomposition', 'agent-output', 'synthesis')`;

/**
 * The pipeline id of a row of `subjects` or `verdicts`, null if it belongs to none. Repeats the
 * exact expression of the indexes `…_pipeline`, so that the planner can use them.
 */
export const pipelineId = (sql: Sql): Fragment =>
  sql`(case when trace_id is null then session_id else trace_id end)`;

/** The most subjects that are read of one pipeline: the latest ones. */
export const attemptsMax = 1000;

/**
 * The checkpoint subjects of the pipeline `id` (a value or a column) as `s`, each with its latest
 * verdict as `v`, which is null if there is none.
 */
export function attemptsOf(sql: Sql, projectId: string, id: Fragment): Fragment {
  return sql`(
      select kind, id, revision, created_at, cost_usd, content from subjects
      where project_id = ${projectId} and ${pipelineId(sql)} = ${id} and ${ofCheckpoints(sql)}
      order by created_at desc limit ${attemptsMax}
    ) s
    left join lateral (
      select * from verdicts
      where project_id = ${projectId} and subject_kind = s.kind and subject_id = s.id and experiment_id is null
      order by revision desc, verifier_version desc limit 1
    ) v on true`;
}

/** The subgoal of an attempt `s`, `v`; null for decompositions and syntheses. */
export const subgoalOf = (sql: Sql): Fragment =>
  sql`case when s.kind = 'agent-output' then coalesce(v.detail #>> '{subgoal,id}', s.content::jsonb #>> '{subject,subgoal,id}', '') end`;

/**
 * The final reported outcome of pipeline `p`: the latest label on its id, trace or session that
 * states success or failure. A lateral relation with one row `success`, `value`, `by`, `note`,
 * `at`, or none.
 */
export function reportedOf(sql: Sql, projectId: string): Fragment {
  return sql`(
      select success, value, coalesce(rater, case when kind = 'import' then source end, created_by) as by, note, created_at as at from labels
      where project_id = ${projectId} and subject_id in (p.id, p.trace_id, p.session_id) and kind in ('outcome', 'import')
        and success is not null and dimension is null
      order by created_at desc, labels.id desc limit 1
    )`;
}
