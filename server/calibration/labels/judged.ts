import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';
import { conflict, notFound } from '../../platform';

/** A verdict as far as a label needs it. */
export interface Judged {
  readonly id: string;
  readonly kind: string;
  readonly subjectId: string;
  readonly verifierSlug: string;
  /** `integrity@3` */
  readonly policyVersion: string;
  /** The machine's; null where the verifier could not decide. */
  readonly verdict: string | null;
  readonly outcome: Outcome;
  /** There is something to tell whoever does the work again. */
  readonly hasFeedback: boolean;
}

interface JudgedRow {
  id: string;
  kind: string;
  subject_id: string;
  verifier_slug: string;
  verifier_version: number;
  verdict: string | null;
  outcome: Outcome;
  has_feedback: boolean;
}

/** @throws AssayError not_found, alike for an unknown id and another project's; conflict while there is no verdict to rule on */
export async function getJudged(ctx: ProjectCtx, id: string): Promise<Judged> {
  const [row] = await ctx.sql<JudgedRow[]>`
    select id, kind, subject_id, verifier_slug, verifier_version, verdict, outcome, feedback is not null as has_feedback
    from verdicts where project_id = ${ctx.projectId} and id = ${id}`;
  if (row === undefined) {
    const [work] = await ctx.sql<{ state: string }[]>`select state from work where project_id = ${ctx.projectId} and id = ${id}`;
    if (work === undefined) throw notFound('verification');
    throw conflict(
      work.state === 'quarantined'
        ? 'this verification was set aside without a verdict: replay it first'
        : 'this verification has no verdict yet: ask again when its state is settled',
    );
  }
  return {
    id: row.id,
    kind: row.kind,
    subjectId: row.subject_id,
    verifierSlug: row.verifier_slug,
    policyVersion: `${row.verifier_slug}@${row.verifier_version}`,
    verdict: row.verdict,
    outcome: row.outcome,
    hasFeedback: row.has_feedback,
  };
}
