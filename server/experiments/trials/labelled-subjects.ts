import type { ProjectCtx } from '../../access';
import { type PromptExample, splitOf } from '../../domain';
import { findLimitedAccounts, groundTruth } from '../../measures';
import type { TrialOrder } from './trial-input';

/** A subject with a known truth. */
export interface LabelledSubject {
  readonly id: string;
  readonly good: boolean;
  /** The kind of label that determines the truth. */
  readonly truthOf: 'override' | 'outcome' | 'import';
  /** The model that did the work, and its mission. */
  readonly model: string | null;
  readonly missionId: string | null;
}

export interface LabelledWanted {
  readonly kind: string;
  readonly order: TrialOrder;
  readonly seed: number;
  readonly limit: number;
  /** Only subjects held out for tests, excluding the examples in the prompt. Null means all. */
  readonly heldOut: { readonly examples: readonly PromptExample[] } | null;
}

interface Row {
  id: string;
  good: boolean;
  truth_of: LabelledSubject['truthOf'];
  session_id: string | null;
  model: string | null;
  mission_id: string | null;
}

/** Rows read for each held-out one: 42.5% of labelled subjects are held out. */
const readPerHeldOut = 4;

/**
 * Labelled subjects of one kind, newest first or in an order determined by the seed. Uses the truth
 * of the measures: the latest counting ruling on one of the subject's verdicts, else outcomes and
 * imported labels (`groundTruth`). A whole session is held out together. Work whose request is an
 * example in a prompt is never held out (calibration.md 5.10).
 */
export async function findLabelledSubjects(
  ctx: ProjectCtx,
  input: LabelledWanted,
): Promise<LabelledSubject[]> {
  const { sql, projectId } = ctx;
  const outweighed = (await findLimitedAccounts(ctx, input.kind)).map(
    ({ slug, account, until }) => ({
      slug,
      account,
      until,
    }),
  );
  const drawn = sql`md5(${String(input.seed)} || ' ' || s.id)`;
  // The request as it appears in the subject's JSON text.
  const shown = (input.heldOut?.examples ?? []).map(({ query }) =>
    JSON.stringify(query).slice(1, -1),
  );
  const rows = await sql<Row[]>`
    with ${groundTruth(ctx, null, outweighed)}, own_truths as (
      select distinct on (subject_id) subject_id, success from ruled_truths
      where verifier_slug = ${input.kind} order by subject_id, created_at desc, id desc
    ), labelled as (
      select subject_id as id from own_truths union select subject_id from subject_truths where success is not null
    )
    select s.id, coalesce(r.success, t.success) as good, case when r.success is not null then 'override' else t.kind end as truth_of,
      s.session_id, s.model, s.mission_id
    from labelled l
    join subjects s on s.project_id = ${projectId} and s.kind = ${input.kind} and s.id = l.id
      and not exists (select from turns e where e.project_id = s.project_id and e.id = s.turn_id and e.origin = 'experiment')
    left join own_truths r on r.subject_id = s.id
    left join subject_truths t on t.subject_id = s.id
    where ${
      shown.length === 0
        ? sql`true`
        : sql`not exists (
            select from jsonb_array_elements_text(${JSON.stringify(shown)}::text::jsonb) as e(query) where position(e.query in s.content) > 0)`
    }
    order by ${input.order === 'newest' ? sql`s.created_at desc, s.id desc` : sql`${drawn}, s.id`}
    limit ${input.heldOut === null ? input.limit : input.limit * readPerHeldOut}`;
  return rows
    .filter(
      ({ id, session_id: session }) => input.heldOut === null || splitOf(session ?? id) === 'test',
    )
    .slice(0, input.limit)
    .map(({ id, good, truth_of: truthOf, model, mission_id: missionId }) => ({
      id,
      good,
      truthOf,
      model,
      missionId,
    }));
}

/**
 * People's labels of subjects of one verifier, by id: good or bad, as in `findLabelledSubjects`.
 * Subjects without a label are omitted; the verifier need not have judged them.
 */
export async function findTruths(
  ctx: ProjectCtx,
  verifier: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  if (subjectIds.length === 0) return new Map();
  const { sql } = ctx;
  const wanted = sql`
    select distinct subject_id from jsonb_array_elements_text(${JSON.stringify(subjectIds)}::text::jsonb) as w(subject_id)`;
  const outweighed = (await findLimitedAccounts(ctx, verifier)).map(({ slug, account, until }) => ({
    slug,
    account,
    until,
  }));
  const rows = await sql<{ id: string; good: boolean }[]>`
    with ${groundTruth(ctx, wanted, outweighed)}, own_truths as (
      select distinct on (subject_id) subject_id, success from ruled_truths
      where verifier_slug = ${verifier} order by subject_id, created_at desc, id desc
    )
    select w.subject_id as id, coalesce(r.success, t.success) as good
    from (${wanted}) as w
    left join own_truths r on r.subject_id = w.subject_id
    left join subject_truths t on t.subject_id = w.subject_id
    where coalesce(r.success, t.success) is not null`;
  return new Map(rows.map(({ id, good }) => [id, good]));
}
