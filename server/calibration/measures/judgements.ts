import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { storedKindOf, subjectKinds } from '../../verifiers';
import type { Origin } from './measure-input';

/** Which judgements are wanted: `from` inclusive, `to` exclusive. */
export interface Wanted {
  /** A verifier's name, with or without its version (`readVerifierName`), or that of an imported judge. */
  readonly verifier?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** The model that judged, as verdicts name it: what one judge got right says nothing of another that stood in for it (R-59). */
  readonly judge?: string | undefined;
  /** What models said of their own work counts under the verifier's own name, not as a series of its own. */
  readonly together?: boolean;
  /** Rulings of an account that do not count, those after `until` (S-35). */
  readonly outweighing?: readonly { readonly slug: string; readonly account: string; readonly until: string }[] | undefined;
}

/**
 * What a verifier said beside what is true, as a relation of these columns:
 * `id`, `slug`, `version`, `kind`, `at`, `verdict_id`, `turn_id`, `subject_id`, `excerpt`, `judge` (the model that judged, or null);
 * `machine`: `failed` (flagged), `passed`, or null where it decided neither (X-3), and `word`, its own word;
 * `good`: the truth, null where there is none, `truth_of` the kind of label that it comes from, and `rater`;
 * `overruled`: whether a person ruled otherwise, null where nobody ruled or the verifier had not decided;
 * `unread`: a reply that could not be read; `account` and `ruled_at`: of the latest ruling, null where there is none.
 *
 * The truth of a verdict is the latest override of it that stands and says pass or fail; else the latest outcome or imported label of
 * its subject that does. A label stands as long as no other takes it back.
 *
 * The cost is that of the labels, which are few: `offset 0` keeps PostgreSQL from reading all verdicts in place of looking them up.
 */
export function judgements(ctx: ProjectCtx, origin: Origin, wanted: Wanted): Fragment {
  return origin === 'verifier' ? ofVerifiers(ctx, wanted) : ofImportedJudges(ctx, wanted);
}

/** What an outcome may be about: ids of subjects that callers hand over are made here, and so are no turn's. */
const kindsOfSubjects = ['turn', ...[...subjectKinds.values()].map(storedKindOf)];

/** The series that a verdict is counted in: what a model said of its own work stands apart (X-2). */
export const seriesColumn = ({ sql }: Pick<ProjectCtx, 'sql'>): Fragment =>
  sql`v.verifier_slug || case when v.cross_model = 'self' then ':self' else '' end`;

function ofVerifiers(ctx: ProjectCtx, { verifier, judge, from, to, outweighing = [], together = false }: Wanted): Fragment {
  const { sql, projectId } = ctx;
  const counts = rulingCounts(ctx, outweighing);
  const { slug, version, self } = readVerifierName(verifier ?? '');
  return sql`
    with ${truths(ctx)}, rulings as (
      select distinct on (verdict_id) verdict_id, verdict, rater, account, created_at from standing
      where kind = 'override' and verdict_id is not null and ${counts} order by verdict_id, created_at desc, id desc
    ), ruled_truths as (
      select distinct on (verdict_id) verdict_id, success, rater from standing
      where kind = 'override' and verdict_id is not null and success is not null and ${counts} order by verdict_id, created_at desc, id desc
    ), labelled as (
      select verdict_id as id from rulings
      union
      select v.id from subject_truths s cross join lateral (
        select id from verdicts where project_id = ${projectId} and subject_kind in ${sql(kindsOfSubjects)} and subject_id = s.subject_id offset 0
      ) as v
    )
    select v.id, ${together ? sql`v.verifier_slug` : seriesColumn(ctx)} as slug, v.verifier_version as version, v.kind, v.settled_at as at, v.id as verdict_id, v.turn_id,
      v.subject_id, v.excerpt, v.judge_model as judge, case when v.outcome in ('failed', 'passed') then v.outcome end as machine, coalesce(v.verdict, v.outcome) as word,
      coalesce(r.success, s.success) as good,
      case when r.success is not null then 'override' else s.kind end as truth_of,
      case when r.success is not null then r.rater else s.rater end as rater,
      case when v.outcome in ('failed', 'passed') and g.verdict_id is not null then g.verdict is distinct from v.verdict end as overruled,
      false as unread, g.account, g.created_at as ruled_at
    from labelled l
    cross join lateral (select * from verdicts where project_id = ${projectId} and id = l.id offset 0) as v
    left join rulings g on g.verdict_id = v.id
    left join ruled_truths r on r.verdict_id = v.id
    left join subject_truths s on s.subject_id = v.subject_id
    where true
      ${verifier === undefined ? sql`` : sql`and v.verifier_slug = ${slug}`}
      ${verifier === undefined || together ? sql`` : sql`and (v.cross_model is not distinct from 'self') = ${self}`}
      ${version === null ? sql`` : sql`and v.verifier_version = ${version}`}
      ${judge === undefined ? sql`` : sql`and v.judge_model = ${judge}`}
      ${from === undefined ? sql`` : sql`and v.settled_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and v.settled_at < ${to.toISOString()}::timestamptz`}`;
}

/** Of several measurements of one subject by one judge the latest counts. Those without truth are here too. */
function ofImportedJudges(ctx: ProjectCtx, { verifier, from, to }: Wanted): Fragment {
  const { sql, projectId } = ctx;
  return sql`
    with ${truths(ctx)}, measured as (
      select distinct on (model, subject_id) id, model, subject_id, turn_id, label, explanation, coalesce(measured_at, created_at) as at
      from foreign_scores
      where project_id = ${projectId} and source = 'import' and model is not null and subject_id is not null
        ${verifier === undefined ? sql`` : sql`and model = ${verifier}`}
      order by model, subject_id, created_at desc, id desc
    )
    select f.id, f.model as slug, null::int as version, 'imported' as kind, f.at, null::text as verdict_id, f.turn_id, f.subject_id,
      coalesce(f.explanation, '') as excerpt, null::text as judge, case f.label when 'fail' then 'failed' when 'pass' then 'passed' end as machine,
      coalesce(f.label, 'no verdict') as word, s.success as good, s.kind as truth_of, s.rater, null::boolean as overruled,
      coalesce(f.explanation like 'not read: verdict %', false) as unread,
      null::text as account, null::timestamptz as ruled_at
    from measured f left join subject_truths s on s.subject_id = f.subject_id
    where true
      ${from === undefined ? sql`` : sql`and f.at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and f.at < ${to.toISOString()}::timestamptz`}`;
}

/** Whether a ruling of `standing` counts (S-35). */
export function rulingCounts({ sql }: Pick<ProjectCtx, 'sql'>, outweighing: NonNullable<Wanted['outweighing']>): Fragment {
  if (outweighing.length === 0) return sql`true`;
  return sql`not exists (
    select from jsonb_to_recordset(${JSON.stringify(outweighing)}::text::jsonb) as o(slug text, account text, until timestamptz)
    where o.slug = standing.verifier_slug and o.account = standing.account and standing.created_at > o.until)`;
}

/** The labels that stand, and the truth of each subject that one of them tells. */
export function truths({ sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>): Fragment {
  return sql`
    standing as (
      select id, kind, subject_id, verdict_id, verdict, success, coalesce(rater, case when kind = 'outcome' then source end, created_by) as rater, created_at,
        created_by as account, verifier_slug from labels l
      where project_id = ${projectId} and kind in ('override', 'outcome', 'import')
        and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
    ), subject_truths as (
      select distinct on (subject_id) subject_id, success, kind, rater from standing
      where kind in ('outcome', 'import') and success is not null order by subject_id, created_at desc, id desc
    )`;
}
