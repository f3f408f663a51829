import type { ProjectCtx } from '../../access';
import type { Issue, Outcome } from '../../domain';
import { answerOf, type ItemRow } from './find-items';
import type { ReviewSeen } from './item';

interface Row {
  verdict: string | null;
  outcome: Outcome;
  score: number | null;
  threshold: number | null;
  issues: Issue[];
}

interface StatementSeenRow {
  kind: string;
  success: boolean | null;
  verdict: string | null;
  note: string | null;
  rater: string;
}

/**
 * The verifier's verdict and others' rulings. The caller must check that this person may see them.
 */
export async function getReviewSeen(
  ctx: ProjectCtx,
  { verdict_id: id }: Pick<ItemRow, 'verdict_id'>,
): Promise<ReviewSeen> {
  const { sql, projectId } = ctx;
  const [verdict] = await sql<Row[]>`
    select verdict, outcome, score, threshold_value as threshold, issues from verdicts where project_id = ${projectId} and id = ${id}`;
  const statements = await sql<StatementSeenRow[]>`
    select distinct on (created_by, coalesce(rater, created_by)) kind, success, verdict, note, coalesce(rater, created_by) as rater from labels l
    where project_id = ${projectId} and verdict_id = ${id} and kind in ('override', 'abstention')
      and not (created_by = ${ctx.actor.label} and coalesce(rater, created_by) = ${ctx.actor.label})
      and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
    order by created_by, coalesce(rater, created_by), created_at desc, id desc`;
  return {
    machine: {
      verdict: verdict?.verdict ?? null,
      outcome: verdict?.outcome ?? 'inconclusive',
      score: verdict?.score ?? null,
      threshold: verdict?.threshold ?? null,
    },
    issues: (verdict?.issues ?? []).map(({ code, message, severity }) => ({
      code,
      message,
      severity,
    })),
    others: statements.map(({ kind, success, verdict: word, note, rater }) => ({
      rater,
      answer: answerOf(kind, success, word),
      reason: note,
    })),
  };
}
