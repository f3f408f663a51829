import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';

/**
 * Rulings of an account on verdicts of one verifier that do not count: those after `until` (S-35).
 */
export interface Outweighed {
  readonly slug: string;
  readonly account: string;
  readonly until: string;
}

/**
 * The ground truth, as common table expressions that continue an open `with`. Implements the rule
 * that `effectiveRuling` (server/verdicts/rulings.ts) applies to one verdict.
 *
 * - `current_labels`: labels that were not undone, and that count.
 * - `ruled`, a row per verdict: the ruling that counts. If any ruling was given with the verdict
 * visible, it is the latest of these. If all were blind, each rater's latest ruling is a vote, and
 * the word with the most votes counts. `ruled_truths`: the same among rulings that are a pass or a
 * fail.
 * - `ties`: verdicts whose blind votes disagree and which no one has decided.
 * - `subject_truths`, a row per subject: its latest outcome or imported label that is yes or no. Of
 * imported labels of several raters, the majority of their latest ones; `contested` if they tie,
 * and `success` is then null. An imported label without a rater is a consensus and takes precedence
 * over theirs (`docs/reference/import-mapping.md`).
 *
 * @param subjects a relation with `subject_id`, each once; null for all subjects of the project
 */
export function groundTruth(
  { sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>,
  subjects: Fragment | null,
  outweighed: readonly Outweighed[] = [],
): Fragment {
  const columns = sql`
    id, kind, subject_id, verdict_id, verdict, success, grade, blind, dimension, coalesce(policy, 0) as policy, created_at, created_by as account, verifier_slug,
    selection, reuses, rater is null as agreed,
    coalesce(rater, created_by) as rater`;
  const said = sql`project_id = ${projectId} and kind in ('override', 'outcome', 'import', 'grade', 'action')`;
  const all = subjects === null ? sql`select ${columns} from labels where ${said}` : null;
  // With `offset 0` PostgreSQL looks up the labels of the few subjects instead of reading all
  // labels.
  const some = sql`
    select l.* from (${subjects ?? sql``}) as w
    cross join lateral (select ${columns} from labels where ${said} and subject_id = w.subject_id offset 0) as l`;
  return sql`
    current_labels as materialized (
      select l.* from (${all ?? some}) as l
      where not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id) and ${counts({ sql }, outweighed)}
    ), ${rulings({ sql })}, reports as (
      select * from current_labels where kind in ('outcome', 'import') and success is not null and dimension is null
    ), latest_reports as (
      select distinct on (subject_id) subject_id, success, kind, rater, policy from reports order by subject_id, created_at desc, id desc
    ), agreed_reports as (
      select distinct on (subject_id) subject_id, success, rater, policy from reports where kind = 'import' and agreed
      order by subject_id, created_at desc, id desc
    ), opinions as (
      select distinct on (subject_id, rater) subject_id, success from reports where kind = 'import'
      order by subject_id, rater, created_at desc, id desc
    ), opinion_counts as (
      select subject_id, count(*) filter (where success) as yes, count(*) filter (where not success) as no from opinions group by subject_id
    ), subject_truths as (
      select r.subject_id, r.kind, case when r.kind = 'import' then coalesce(a.policy, r.policy) else r.policy end as policy,
        case when r.kind = 'outcome' then r.rater when a.success is not null then a.rater when c.yes + c.no = 1 then r.rater end as rater,
        case when r.kind = 'outcome' then r.success when a.success is not null then a.success when c.yes <> c.no then c.yes > c.no end as success,
        r.kind = 'import' and a.success is null and c.yes = c.no as contested
      from latest_reports r left join agreed_reports a on a.subject_id = r.subject_id left join opinion_counts c on c.subject_id = r.subject_id
    )`;
}

function rulings({ sql }: Pick<ProjectCtx, 'sql'>): Fragment {
  return sql`
    overrides as (
      select * from current_labels where kind = 'override' and verdict_id is not null and verdict is not null
    ), unblinded as (
      select distinct on (verdict_id) * from overrides where not blind order by verdict_id, created_at desc, id desc
    ), votes as (
      select distinct on (verdict_id, account, rater) * from overrides o
      where blind and not exists (select from unblinded s where s.verdict_id = o.verdict_id)
      order by verdict_id, account, rater, created_at desc, id desc
    ), tallies as (
      select verdict_id, verdict, rank() over (partition by verdict_id order by count(*) desc) as place from votes group by verdict_id, verdict
    ), leaders as (
      select verdict_id, min(verdict) as verdict, count(*) as leaders from tallies where place = 1 group by verdict_id
    ), ties as (
      select verdict_id from leaders where leaders > 1
    ), voted as (
      select distinct on (v.verdict_id) v.* from votes v
      join leaders l on l.verdict_id = v.verdict_id and l.leaders = 1 and l.verdict = v.verdict
      order by v.verdict_id, v.created_at desc, v.id desc
    ), ruled as (
      select * from unblinded union all select * from voted
    ), ruled_truths as (
      (select distinct on (verdict_id) * from overrides where not blind and success is not null order by verdict_id, created_at desc, id desc)
      union all select * from voted where success is not null
    )`;
}

/** Whether a label of `l` counts (S-35). */
function counts({ sql }: Pick<ProjectCtx, 'sql'>, outweighed: readonly Outweighed[]): Fragment {
  if (outweighed.length === 0) return sql`true`;
  return sql`(l.kind <> 'override' or not exists (
    select from jsonb_to_recordset(${JSON.stringify(outweighed)}::text::jsonb) as o(slug text, account text, until timestamptz)
    where o.slug = l.verifier_slug and o.account = l.account and l.created_at > o.until))`;
}
