import type { ProjectCtx } from '../access';
import type { Outcome } from '../domain';
import { conflict, notFound } from '../platform';

/** The members of a verdict that a label needs. */
export interface JudgedVerdict {
  readonly id: string;
  readonly kind: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
  readonly verifierSlug: string;
  /** `integrity@3` */
  readonly policyVersion: string;
  /** The verifier's verdict; null if it could not decide. */
  readonly verdict: string | null;
  readonly outcome: Outcome;
  readonly excerpt: string;
  /** The verdict has feedback for a retry of the work. */
  readonly hasFeedback: boolean;
}

/** The labelled object: a verdict, or a subject without a verdict of the verifier yet. */
export type Labelled = Pick<JudgedVerdict, 'kind' | 'subjectId' | 'verifierSlug' | 'verdict'> & {
  /** The verdict's id, version and excerpt; null without a verdict. */
  readonly id: string | null;
  readonly policyVersion: string | null;
  readonly excerpt: string | null;
};

interface JudgedRow {
  id: string;
  kind: string;
  subject_kind: string;
  subject_id: string;
  revision: number;
  verifier_slug: string;
  verifier_version: number;
  verdict: string | null;
  outcome: Outcome;
  excerpt: string;
  has_feedback: boolean;
}

/**
 * @throws AssayError not_found, also for an id of another project; conflict if there is no verdict
 * yet
 */
export async function getJudged(ctx: ProjectCtx, id: string): Promise<JudgedVerdict> {
  const [judged] = await listJudged(ctx, [id]);
  if (judged !== undefined) return judged;
  const [work] = await ctx.sql<
    { state: string }[]
  >`select state from work where project_id = ${ctx.projectId} and id = ${id}`;
  if (work === undefined) throw notFound('verification');
  throw conflict(
    work.state === 'quarantined'
      ? 'this verification was quarantined without a verdict; replay it first'
      : 'this verification has no verdict yet; try again when its state is settled',
  );
}

/** Verdicts by their ids, in no order, without those of other projects. */
export async function listJudged(
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<JudgedVerdict[]> {
  const rows = await ctx.sql<JudgedRow[]>`
    select v.* from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as k(id)
    cross join lateral (
      select id, kind, subject_kind, subject_id, revision, verifier_slug, verifier_version, verdict, outcome, excerpt,
        feedback is not null as has_feedback
      from verdicts where project_id = ${ctx.projectId} and id = k.id limit 1
    ) as v`;
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    revision: row.revision,
    verifierSlug: row.verifier_slug,
    policyVersion: `${row.verifier_slug}@${row.verifier_version}`,
    verdict: row.verdict,
    outcome: row.outcome,
    excerpt: row.excerpt,
    hasFeedback: row.has_feedback,
  }));
}
