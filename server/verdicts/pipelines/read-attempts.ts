import type { ProjectCtx } from '../../access';
import type { CheckpointKind, Issue, Outcome } from '../../domain';
import { loadCountedRulings } from '../rulings';
import { attemptsOf, subgoalOf } from './checkpoint-rows';

/** One call of a checkpoint, with its verdict if there is one. */
export interface Attempt {
  /** The id of the verdict, settled or pending. */
  readonly verdictId: string;
  readonly state: 'settled' | 'pending' | 'quarantined';
  /** Null until the verdict settles. */
  readonly outcome: Outcome | null;
  /** `PASS`, `RETRY` or `FAIL`; null if the verifier could not decide, or has not decided yet. */
  readonly verdict: string | null;
  /**
   * The result after human rulings, null if there are none; `verdict` remains that of the verifier.
   */
  readonly ruled: { readonly verdict: string; readonly outcome: Outcome } | null;
  readonly score: number | null;
  /** The pass threshold; null if nothing was compared. */
  readonly passesFrom: number | null;
  /** The retries before this attempt, and the retry budget; null if unknown. */
  readonly retries: { readonly used: number; readonly budget: number } | null;
  readonly judgeModel: string | null;
  /** The model that did the work also judged it (X-2). */
  readonly selfVerified: boolean;
  /** Why it is not a PASS, as a sentence; null if it is a PASS, or if no reason was given. */
  readonly reason: string | null;
  /** The feedback for the next attempt. */
  readonly feedback: string | null;
  readonly issues: readonly Issue[];
  /** The cost of verification, in US dollars. */
  readonly costUsd: number;
  readonly priceUnknown: boolean;
  /** The cost of the work, in US dollars; null if unknown. */
  readonly workUsd: number | null;
  readonly at: Date;
}

/** An attempt with its stored data. */
export interface ReadAttempt {
  readonly kind: CheckpointKind;
  readonly subgoal: string | null;
  readonly attempt: Attempt;
  /**
   * The submitted subject, `{"query":…}`; null if it is unreadable, or too large to be read with
   * the others.
   */
  readonly subject: unknown;
  /** The `detail` of the verdict; null if there is no verdict. */
  readonly detail: unknown;
}

interface AttemptRow {
  kind: CheckpointKind;
  subgoal: string | null;
  id: string;
  work_state: string | null;
  work_reason: string | null;
  outcome: Outcome | null;
  verdict: string | null;
  score: number | null;
  threshold_value: number | null;
  retries_used: number | null;
  retries_budget: number | null;
  judge_model: string | null;
  cross_model: string | null;
  decision_reason: string | null;
  feedback: string | null;
  issues: Issue[] | null;
  cost_usd: number | null;
  price_unknown: boolean | null;
  work_usd: number | null;
  detail: unknown;
  content: string | null;
  created_at: string;
}

/** The most characters of content that are read of one pipeline, from the earliest attempt on. */
const contentChars = 16 * 1024 * 1024;
const issuesMax = 100;

/** All attempts of a pipeline in order; if there are more than 1,000, the latest 1,000. */
export async function readAttempts(ctx: ProjectCtx, pipeline: string): Promise<ReadAttempt[]> {
  const { sql, projectId } = ctx;
  const rows = await sql<AttemptRow[]>`
    select s.kind, ${subgoalOf(sql)} as subgoal, coalesce(v.id, w.id) as id, w.state as work_state, w.reason as work_reason, v.outcome,
      v.verdict, v.score, v.threshold_value, v.retries_used, v.retries_budget, v.judge_model, v.cross_model, v.decision_reason, v.feedback, v.issues,
      v.cost_usd, v.price_unknown, s.cost_usd as work_usd, v.detail, s.created_at,
      case when sum(length(s.content)) over (order by s.created_at, s.id) <= ${contentChars} then s.content end as content
    from ${attemptsOf(sql, projectId, sql`${pipeline}`)}
    left join lateral (
      select id, state, reason from work where project_id = ${projectId} and subject_kind = s.kind and subject_id = s.id and v.id is null limit 1
    ) w on true
    where coalesce(v.id, w.id) is not null order by s.created_at, s.id`;
  const ruled = await loadCountedRulings(
    ctx,
    rows.filter(({ outcome }) => outcome !== null).map(({ id }) => id),
  );
  return rows.map((row) => ({
    kind: row.kind,
    subgoal: row.subgoal,
    attempt: asAttempt(row, ruled.get(row.id) ?? null),
    subject: subjectOf(row.content),
    detail: row.outcome === null ? null : row.detail,
  }));
}

function asAttempt(row: AttemptRow, ruled: Attempt['ruled']): Attempt {
  const settled = row.outcome !== null;
  return {
    verdictId: row.id,
    state: settled ? 'settled' : row.work_state === 'quarantined' ? 'quarantined' : 'pending',
    outcome: row.outcome,
    verdict: row.verdict,
    ruled,
    score: row.score,
    passesFrom: row.threshold_value,
    retries:
      row.retries_used === null
        ? null
        : { used: row.retries_used, budget: row.retries_budget ?? row.retries_used },
    judgeModel: row.judge_model,
    selfVerified: row.cross_model === 'self',
    reason: settled ? (errorOf(row.detail) ?? row.decision_reason) : row.work_reason,
    feedback: row.feedback,
    issues: (row.issues ?? []).slice(0, issuesMax),
    costUsd: row.cost_usd ?? 0,
    priceUnknown: row.price_unknown ?? false,
    workUsd: row.work_usd,
    at: new Date(row.created_at),
  };
}

function errorOf(detail: unknown): string | null {
  const error =
    typeof detail === 'object' && detail !== null && 'error' in detail ? detail.error : null;
  return typeof error === 'string' && error !== '' ? error : null;
}

function subjectOf(content: string | null): unknown {
  if (content === null) return null;
  try {
    const read: unknown = JSON.parse(content);
    return typeof read === 'object' && read !== null && 'subject' in read ? read.subject : null;
  } catch {
    return null;
  }
}
