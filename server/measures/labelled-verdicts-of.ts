import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { storedKindsOf } from '../catalog';
import { opinionEvaluator } from '../verifiers';
import { type Outweighed, groundTruth } from './ground-truth';

/** The columns of the table `judgements` without its project, in the order of the relation. */
export const labelledVerdictColumns = [
  'origin',
  'id',
  'slug',
  'series',
  'version',
  'kind',
  'at',
  'day',
  'subject_id',
  'verdict_id',
  'turn_id',
  'session_id',
  'model',
  'judge',
  'mission_id',
  'complexity',
  'tier',
  'machine',
  'word',
  'score',
  'threshold',
  'confidence',
  'cost_usd',
  'excerpt',
  'good',
  'truth_of',
  'rater',
  'selection',
  'contested',
  'policy',
  'overruled',
  'account',
  'ruled_at',
  'grade',
  'probability',
  'unread',
] as const;

/** The series of a verdict; self-judged work is a separate one (X-2). */
export const seriesColumn = ({ sql }: Pick<ProjectCtx, 'sql'>): Fragment =>
  sql`v.verifier_slug || case when v.cross_model = 'self' then ':self' else '' end`;

/**
 * Verdicts on some subjects with their truth, derived from verdicts, imported measurements and
 * labels. It has the columns and content of the table `judgements` (`refreshLabelledVerdicts`): a
 * row per verdict with truth, a ruling, contested blind votes, a grade or a place in the audit's
 * sample; a row per imported measurement; and a row per second opinion with truth. Ids of callers'
 * subjects are generated and never equal the id of a turn.
 *
 * @param subjects a relation with `subject_id`, each once
 * @param outweighed rulings to omit (S-35); the table includes all of them
 */
export function labelledVerdictsOf(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
  subjects: Fragment,
  outweighed: readonly Outweighed[] = [],
): Fragment {
  const { sql } = ctx;
  return sql`
    with wanted as materialized (${subjects}), ${groundTruth(ctx, sql`select subject_id from wanted`, outweighed)}, grades as (
      select distinct on (verdict_id) verdict_id, grade from current_labels
      where verdict_id is not null and grade is not null order by verdict_id, created_at desc, id desc
    )
    ${ofVerifiers(ctx)} union all ${ofImportedJudges(ctx)} union all ${ofSecondOpinions(ctx)}`;
}

function ofVerifiers(ctx: Pick<ProjectCtx, 'sql' | 'projectId'>): Fragment {
  const { sql, projectId } = ctx;
  return sql`
    select 'verifier' as origin, v.id, v.verifier_slug as slug, ${seriesColumn(ctx)} as series, v.verifier_version as version, v.kind,
      v.settled_at as at, (v.settled_at at time zone 'UTC')::date as day, v.subject_id, v.id as verdict_id, v.turn_id, v.session_id,
      coalesce(v.model, '') as model,
      case when ${isOpinionOnly(ctx)} then '' else coalesce(v.judge_model, '') end as judge, v.mission_id,
      case when v.kind in ('decomposition', 'agent-output', 'synthesis') then v.detail ->> 'complexity' end as complexity,
      case when v.kind = 'code' then v.detail ->> 'tier' end as tier,
      case when v.outcome in ('failed', 'passed') then v.outcome end as machine, coalesce(v.verdict, v.outcome) as word,
      v.score, v.threshold_value as threshold, v.confidence, v.cost_usd, v.excerpt,
      case when t.verdict_id is null then coalesce(r.success, s.success) end as good,
      case when t.verdict_id is not null then null when r.success is not null then 'override' when s.success is not null then s.kind end as truth_of,
      case when t.verdict_id is not null then null when r.success is not null then r.rater when s.success is not null then s.rater end as rater,
      case when t.verdict_id is null and r.success is not null then coalesce(o.selection, r.selection) end as selection,
      t.verdict_id is not null or (r.success is null and coalesce(s.contested, false)) as contested,
      case when t.verdict_id is not null then 0 when r.success is not null then r.policy when s.success is not null then s.policy else 0 end as policy,
      case when v.outcome in ('failed', 'passed') and g.verdict_id is not null then g.verdict is distinct from v.verdict end as overruled,
      g.account, g.created_at as ruled_at, d.grade, a.probability, false as unread
    from wanted w
    cross join lateral (
      select * from verdicts where project_id = ${projectId} and subject_kind = any (${storedKindsOf(sql, projectId)}) and subject_id = w.subject_id
        and not superseded and experiment_id is null offset 0
    ) as v
    left join ruled g on g.verdict_id = v.id
    left join ruled_truths r on r.verdict_id = v.id
    left join labels o on o.project_id = ${projectId} and o.id = r.reuses
    left join ties t on t.verdict_id = v.id
    left join grades d on d.verdict_id = v.id
    left join subject_truths s on s.subject_id = v.subject_id
    left join lateral (
      select probability from review_items where project_id = ${projectId} and verdict_id = v.id and state <> 'withdrawn' offset 0
    ) as a on true
    where g.verdict_id is not null or t.verdict_id is not null or d.verdict_id is not null or s.subject_id is not null or a.probability is not null`;
}

/**
 * Of several measurements of a whole subject by one judge, only the latest counts. Includes
 * measurements without truth; excludes grades and words other than pass and fail.
 */
function ofImportedJudges({ sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>): Fragment {
  return sql`
    select 'imported', f.id, f.model, f.model, 0, 'imported', f.at, (f.at at time zone 'UTC')::date, f.subject_id, null, f.turn_id, t.session_id, '', '', null,
      null, null, case f.label when 'fail' then 'failed' when 'pass' then 'passed' end, coalesce(f.label, 'no verdict'), f.value, null::double precision,
      null::double precision, 0::double precision, coalesce(f.explanation, ''), s.success, case when s.success is not null then s.kind end,
      case when s.success is not null then s.rater end, null, coalesce(s.contested, false), case when s.success is not null then s.policy else 0 end,
      null::boolean, null, null::timestamptz, null::integer, null::double precision, f.unread
    from wanted w
    cross join lateral (
      select distinct on (model) id, model, subject_id, turn_id, label, value, explanation, coalesce(measured_at, created_at) as at,
        unread or (scale is null and coalesce(explanation like 'not read: verdict %', false)) as unread from foreign_scores
      where project_id = ${projectId} and source = 'import' and model is not null and subject_id = w.subject_id
        and dimension is null and coalesce(scale, 'pass_fail') = 'pass_fail'
      order by model, created_at desc, id desc
    ) as f
    left join subject_truths s on s.subject_id = f.subject_id
    left join lateral (
      select session_id, origin from turns where project_id = ${projectId} and id = f.turn_id offset 0
    ) as t on true
    where t.origin is distinct from 'experiment'`;
}

/** Whether the judge gave only a second opinion that did not affect the outcome. */
const isOpinionOnly = ({ sql }: Pick<ProjectCtx, 'sql'>): Fragment =>
  sql`coalesce(v.detail -> 'second_opinion' ->> 'decides' = 'false', false)`;

/**
 * Judges that gave a second opinion on turns, by name like the imported ones. Counts the opinion
 * itself, whether or not it decided the verdict. Of several by one judge on a turn, only the latest
 * counts.
 */
function ofSecondOpinions({ sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>): Fragment {
  return sql`
    select 'imported', o.id, o.judge, o.judge, 0, 'imported', o.at, (o.at at time zone 'UTC')::date, o.subject_id, o.id, o.turn_id, o.session_id,
      o.model, '', o.mission_id, null, null, case when o.met then 'passed' else 'failed' end, case when o.met then 'supported' else 'unsupported' end,
      o.value, null::double precision, null::double precision, o.cost_usd, o.excerpt, coalesce(r.success, s.success),
      case when r.success is not null then 'override' else s.kind end, case when r.success is not null then r.rater else s.rater end, null,
      coalesce(s.contested, false), case when r.success is not null then r.policy else coalesce(s.policy, 0) end, null::boolean, null, null::timestamptz,
      null::integer, null::double precision, false
    from wanted w
    cross join lateral (
      select distinct on (c.model) v.id, 'second opinion: ' || c.model as judge, v.settled_at as at, v.subject_id, v.turn_id, v.session_id,
        coalesce(v.model, '') as model, v.mission_id, c.met, c.value, c.cost_usd, v.excerpt
      from verdicts v join scores c on c.project_id = v.project_id and c.verdict_id = v.id
      where v.project_id = ${projectId} and v.subject_kind = 'turn' and v.subject_id = w.subject_id and not v.superseded and v.experiment_id is null and c.evaluator = ${opinionEvaluator}
        and c.state = 'scored' and c.model is not null
      order by c.model, v.settled_at desc, v.id desc
    ) as o
    left join ruled_truths r on r.verdict_id = o.id
    left join subject_truths s on s.subject_id = o.subject_id
    where coalesce(r.success, s.success) is not null`;
}
