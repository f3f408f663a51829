import type { ProjectCtx } from '../access';
import { deriveOutcome, type Outcome } from '../domain';
import { notFound } from '../platform';
import { effectiveRuling, loadRulings, type Ruling } from '../verdicts';

/** The labels of a verdict's subject. */
export interface VerdictLabels {
  /** The ruling that counts (`effectiveRuling`); null without one. */
  readonly ruled: {
    readonly verdict: string;
    readonly outcome: Outcome;
    readonly rater: string;
  } | null;
  /** The latest grade that was not undone, 1 to 5. */
  readonly grade: number | null;
  /** All rulings, newest first. */
  readonly rulings: readonly Ruling[];
  /** Outcomes about the subject from callers and imports, newest first. */
  readonly reports: readonly ReceivedOutcome[];
}

export interface ReceivedOutcome {
  readonly id: string;
  readonly kind: 'outcome' | 'import';
  readonly success: boolean | null;
  readonly score: number | null;
  /** The rater's own words, if they are not yes or no. */
  readonly value: string | null;
  readonly by: string;
  readonly note: string | null;
  readonly createdAt: Date;
}

interface ReportRow {
  id: string;
  kind: ReceivedOutcome['kind'];
  success: boolean | null;
  score: number | null;
  value: string | null;
  by: string;
  note: string | null;
  created_at: string;
}

const reportsMax = 50;

/** @throws AssayError not_found, also for an id of another project */
export async function listLabelsOf(ctx: ProjectCtx, verdictId: string): Promise<VerdictLabels> {
  const { sql, projectId } = ctx;
  const [subject] = await sql<{ id: string }[]>`
    select subject_id as id from verdicts where project_id = ${projectId} and id = ${verdictId}
    union all
    select subject_id from work where project_id = ${projectId} and id = ${verdictId} limit 1`;
  if (subject === undefined) throw notFound('verification');
  const rulings = (await loadRulings(ctx, [verdictId])).get(verdictId) ?? [];
  const reports = await sql<ReportRow[]>`
    select id, kind, success, score, value, coalesce(rater, case when kind = 'import' then source end, created_by) as by, note, created_at from labels
    where project_id = ${projectId} and subject_id = ${subject.id} and kind in ('outcome', 'import')
    order by created_at desc, id desc limit ${reportsMax}`;
  const ruling = effectiveRuling(rulings);
  return {
    ruled:
      ruling?.verdict == null
        ? null
        : { verdict: ruling.verdict, outcome: deriveOutcome(ruling.verdict), rater: ruling.rater },
    grade: rulings.findLast((each) => each.grade !== null && each.undone === null)?.grade ?? null,
    rulings: rulings.toReversed(),
    reports: reports.map(({ created_at, ...row }) => ({ ...row, createdAt: new Date(created_at) })),
  };
}
