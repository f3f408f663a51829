import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import type { ClusterSums } from '../../domain';
import { sumsOfClusters } from '../../verdicts';
import type { ImportedWanted } from './imported-input';

/**
 * Reads imported judgements and labels for the measures. Merges equal items into one row with a
 * count, to keep the result from growing with the file.
 *
 * The truth about one dimension of a subject is the latest current label without a rater: a
 * consensus or a reported outcome. Otherwise, of the latest labels of the raters, it is the word
 * with the most votes (none if two words tie), or the mean of their grades. Labels are pass or
 * fail, a word, or a grade, and a judge is compared with labels of the same form. If people only
 * gave pass or fail, grades are compared with that (pass is 1, fail is 0); `truth` is then the
 * word.
 */

export type Form = 'pass_fail' | 'category' | 'grade';

/** One judge's verdict on one subject in one presentation. */
export type PresentedVerdict = readonly [
  presentation: string,
  word: string | null,
  grade: number | null,
  unread: boolean,
];

/** A number of equal items: the same judgement and the same truth. */
export interface JudgedRow extends RightSums {
  readonly judge: string;
  readonly dimension: string | null;
  readonly form: Form;
  /** Number of subjects that this judge measured, including those not read. */
  readonly measured: number;
  /** Null if there is no truth; `grade` is null for a word. */
  readonly truth: string | null;
  readonly truth_grade: number | null;
  readonly said: readonly PresentedVerdict[];
  readonly items: number;
}

/** Sums over the sessions of all items of a judge, dimension and form that have truth. */
type RightSums = Readonly<Record<`right_${keyof ClusterSums}`, string | number | null>>;

/** A number of items on which the same people gave the same labels. */
export interface RatedRow {
  readonly dimension: string | null;
  readonly form: Form;
  readonly truth: string | null;
  readonly said: readonly (readonly [rater: string, word: string | null, grade: number | null])[];
  readonly items: number;
}

/** Maximum number of subjects per judge, or per dimension, latest first. */
const itemsMax = 20_000;

/**
 * Rows by judge, dimension and form. The correlation within a session is that of whether the first
 * presentation was right: equal to the truth, or within 1 of a grade.
 */
export async function readJudged(ctx: ProjectCtx, wanted: ImportedWanted): Promise<JudgedRow[]> {
  const { sql, projectId } = ctx;
  return sql<JudgedRow[]>`
    with ${currentTruths(ctx)}, measured as (
      select distinct on (judge, dimension, form, subject_id, presentation) * from (
        select f.model as judge, coalesce(f.dimension, '') as dimension, f.subject_id, coalesce(f.presentation, '') as presentation,
          coalesce(f.scale, case when f.label is null and f.value is not null then 'grade' else 'pass_fail' end) as form,
          coalesce(f.category, f.label) as word, f.value as grade, f.created_at, f.id,
          f.unread or (f.scale is null and coalesce(f.explanation like 'not read: %', false)) as unread
        from foreign_scores f
        where f.project_id = ${projectId} and f.source = 'import' and f.model is not null and f.subject_id is not null
          ${wanted.judge === undefined ? sql`` : sql`and f.model = ${wanted.judge}`} ${isWanted(ctx, wanted, sql`f`)}
      ) as f order by judge, dimension, form, subject_id, presentation, created_at desc, id desc
    ), subjects as (
      select judge, dimension, form, subject_id, max(created_at) as at,
        jsonb_agg(jsonb_build_array(presentation, word, grade, unread) order by presentation) as said
      from measured group by judge, dimension, form, subject_id
    ), known as (${withTruth(ctx, sql`select judge, dimension, form, subject_id, at, said from subjects`)}
    ), numbered as (
      select *, (count(*) over of_judge)::int as measured, row_number() over (of_judge order by at desc, subject_id) as place
      from known window of_judge as (partition by judge, dimension, form)
    ), looked as materialized (select * from numbered where place <= ${itemsMax}), rights as (
      select judge, dimension, form, ${sumsOfClusters(sql, 'right', sql`x`, sql`n`)} from (
        select judge, dimension, form, count(*) as n,
          count(*) filter (where case form
            when 'grade' then abs((said -> 0 ->> 2)::double precision - truth_grade) <= 1
            else said -> 0 ->> 1 = truth end) as x
        from looked l
        left join turns t on t.project_id = ${projectId} and t.id = l.subject_id and t.origin <> 'experiment'
        where truth is not null or truth_grade is not null
        group by judge, dimension, form, coalesce(t.session_id, l.subject_id)
      ) as by_cluster group by judge, dimension, form
    )
    select g.*, nullif(g.dimension, '') as dimension,
      right_clusters, right_n, right_x, right_nn, right_xn, right_xx
    from (
      select judge, dimension, form, measured, truth, truth_grade, said, count(*)::int as items
      from looked group by judge, dimension, form, measured, truth, truth_grade, said
    ) as g left join rights using (judge, dimension, form)
    order by judge, g.dimension, form, said, truth, truth_grade`;
}

/**
 * Rows by dimension and form; for one judge, only the subjects that it measured. Omits items
 * without a named rater.
 */
export async function readRated(ctx: ProjectCtx, wanted: ImportedWanted): Promise<RatedRow[]> {
  const { sql, projectId } = ctx;
  const ofJudge =
    wanted.judge === undefined
      ? sql``
      : sql`and v.subject_id in (
          select subject_id from foreign_scores
          where project_id = ${projectId} and source = 'import' and model = ${wanted.judge} and subject_id is not null)`;
  return sql<RatedRow[]>`
    with ${currentTruths(ctx)}, subjects as (
      select v.dimension, v.form, v.subject_id, max(v.created_at) as at,
        jsonb_agg(jsonb_build_array(v.rater, v.word, v.grade) order by v.rater) as said
      from votes v where v.rater is not null ${ofJudge} ${isWanted(ctx, wanted, sql`v`)}
      group by v.dimension, v.form, v.subject_id
    ), known as (${withTruth(ctx, sql`select ''::text as judge, dimension, form, subject_id, at, said from subjects`)}
    ), numbered as (
      select *, row_number() over (partition by dimension, form order by at desc, subject_id) as place from known
    )
    select nullif(dimension, '') as dimension, form, truth, said, count(*)::int as items from numbered where place <= ${itemsMax}
    group by numbered.dimension, form, truth, said order by numbered.dimension, form, said, truth`;
}

/**
 * Joins `rows` with their truth by sorting: without row estimates PostgreSQL would scan all truths
 * for each row.
 */
function withTruth({ sql }: ProjectCtx, rows: Fragment): Fragment {
  return sql`
    select * from (
      select judge, dimension, form, subject_id, at, said, max(word) over of_subject as truth, max(grade) over of_subject as truth_grade from (
        select *, null as word, null::double precision as grade from (${rows}) as r
        union all
        select null, dimension, form, subject_id, null, null, word, grade from truths
      ) as rows_and_truths window of_subject as (partition by subject_id, dimension, form)
    ) as judged where said is not null`;
}

const sourcesMax = 100;

/** The sources of the turns that imported judges measured. */
export async function readImportSources({ sql, projectId }: ProjectCtx): Promise<string[]> {
  const rows = await sql<{ source: string }[]>`
    select distinct t.source from (
      select distinct subject_id from foreign_scores where project_id = ${projectId} and source = 'import' and model is not null
    ) as f join turns t on t.project_id = ${projectId} and t.id = f.subject_id and t.origin <> 'experiment'
    where t.source is not null order by t.source limit ${sourcesMax}`;
  return rows.map(({ source }) => source);
}

/** Conditions on a relation with `subject_id` and `dimension`: those wanted, of live work. */
function isWanted(
  { sql, projectId }: ProjectCtx,
  { dimension, source, model }: ImportedWanted,
  rows: Fragment,
): Fragment {
  const ofDimension = dimension === undefined ? sql`` : sql`and ${rows}.dimension = ${dimension}`;
  const live = sql`${ofDimension} and not exists (
    select from turns e where e.project_id = ${projectId} and e.id = ${rows}.subject_id and e.origin = 'experiment')`;
  if (source === undefined && model === undefined) return live;
  return sql`${live} and exists (
    select from turns t where t.project_id = ${projectId} and t.id = ${rows}.subject_id and t.origin <> 'experiment'
      ${source === undefined ? sql`` : sql`and t.source = ${source}`} ${model === undefined ? sql`` : sql`and t.model = ${model}`})`;
}

/**
 * Common table expressions: `votes`, the latest of each rater, with a null name for a consensus;
 * and `truths`.
 */
function currentTruths({ sql, projectId }: ProjectCtx): Fragment {
  return sql`
    votes as (
      select distinct on (subject_id, dimension, form, rater) * from (
        select subject_id, coalesce(dimension, '') as dimension, case when kind = 'import' then rater end as rater, created_at, id,
          case when success is not null then 'pass_fail' when points is not null or score is not null then 'grade' else 'category' end as form,
          case when success then 'pass' when not success then 'fail' else value end as word, coalesce(points, score) as grade
        from labels l
        where project_id = ${projectId} and kind in ('outcome', 'import')
          and (success is not null or points is not null or score is not null or value is not null)
          and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      ) as said order by subject_id, dimension, form, rater, created_at desc, id desc
    ), tallies as (
      select *, rank() over (partition by subject_id, dimension, form, is_agreed order by times desc) as place from (
        select subject_id, dimension, form, word, rater is null as is_agreed, count(*) as times, avg(grade) as grade
        from votes group by subject_id, dimension, form, word, rater is null
      ) as counted
    ), own_truths as (
      select subject_id, dimension, form,
        coalesce(max(word) filter (where is_agreed),
          case when count(*) filter (where not is_agreed and place = 1) = 1 then max(word) filter (where not is_agreed and place = 1) end) as word,
        coalesce(max(grade) filter (where is_agreed), max(grade)) as grade
      from tallies group by subject_id, dimension, form
    ), truths as (
      select * from own_truths
      union all
      select subject_id, dimension, 'grade', max(word), max(case word when 'pass' then 1 when 'fail' then 0 end)::double precision
      from own_truths group by subject_id, dimension having bool_and(form = 'pass_fail') and max(word) is not null
    )`;
}
