import type { ProjectCtx } from '../access';
import { kinds } from '../verifiers';
import type { FullVerdict } from './get';
import type { PendingVerdict } from './pending';
import { effectiveStep, type Ruling } from './rulings';

/** No judge was called yet. */
const judge = { calls: 0, model: null, cross_model: null };
const cost = { usd: 0, usd_at_least: false, tokens: 0, share_of_task: null, over_budget: false };

/** The response of every verify call and of `GET /v1/verifications/{id}` (api.md, Verify). */
export function verificationReply(
  ctx: ProjectCtx,
  verdict: FullVerdict | PendingVerdict,
): Record<string, unknown> {
  if (verdict.state !== 'settled') return pendingReply(ctx, verdict);
  const { judging } = verdict;
  const step = effectiveStep(verdict.rulings);
  const reply: Record<string, unknown> = {
    id: verdict.id,
    kind: verdict.kind,
    verifier: verdict.verifier,
    state: verdict.state,
    outcome: verdict.outcome,
    verdict: verdict.verdict,
    action: verdict.action,
    score: verdict.score,
    confidence: verdict.confidence,
    needs_human_review: verdict.needsHumanReview,
    superseded: verdict.superseded,
    threshold: verdict.threshold,
    scores: verdict.scores,
    issues: verdict.issues,
    feedback: verdict.feedback,
    retries: verdict.retries ?? repromptsOf(verdict),
    judge: { calls: judging.calls, model: judging.model, cross_model: judging.crossModel },
    cost: {
      usd: judging.costUsd,
      usd_at_least: judging.priceUnknown,
      tokens: judging.tokens,
      share_of_task: judging.shareOfTask,
      over_budget: judging.overBudget,
    },
    decision: verdict.decision,
    client_id: verdict.clientId,
    subject_id: verdict.subjectId,
    turn_id: verdict.turnId,
    trace_id: verdict.traceId,
    session_id: verdict.sessionId,
    mission_id: verdict.missionId,
    task_id: verdict.taskId,
    experiment_id: verdict.experimentId,
    model: verdict.model,
    effective_verdict: verdict.ruled?.verdict ?? verdict.verdict,
    effective_action: step ?? verdict.action,
    low_confidence: step === 'accept_with_warning',
    overrides: verdict.rulings.map(overrideReply),
    created_at: verdict.createdAt.toISOString(),
    settled_at: verdict.settledAt.toISOString(),
    url: urlOf(ctx, verdict.id),
  };
  return withDetail(reply, verdict.kind, verdict.integrity ?? verdict.detail);
}

/**
 * Adds the member named after the kind. A common member of that name, such as `judge`, gets the
 * members of the kind in addition to its own.
 */
export function withDetail(
  reply: Readonly<Record<string, unknown>>,
  kind: string,
  detail: unknown,
): Record<string, unknown> {
  const member = kind.replaceAll('-', '_');
  const common = reply[member];
  const isBoth = typeof common === 'object' && typeof detail === 'object' && detail !== null;
  return { ...reply, [member]: isBoth ? { ...common, ...detail } : detail };
}

/** Integrity has one corrective re-prompt (INT-7). */
function repromptsOf({ integrity }: FullVerdict): { used: number; budget: number } {
  return { used: integrity?.reprompt_used === true ? 1 : 0, budget: 1 };
}

/** The same members for a verification without a verdict: no outcome and no score yet. */
function pendingReply(ctx: ProjectCtx, pending: PendingVerdict): Record<string, unknown> {
  return {
    id: pending.id,
    kind: pending.kind,
    verifier: pending.verifier,
    state: pending.state,
    outcome: null,
    verdict: null,
    action: 'none',
    score: null,
    confidence: null,
    needs_human_review: pending.state === 'quarantined',
    superseded: false,
    threshold: null,
    scores: [],
    issues: [],
    feedback: null,
    retries: { used: 0, budget: kinds.get(pending.kind)?.retries ?? 2 },
    judge,
    cost,
    decision: { state: pending.state === 'quarantined' ? 'failed' : 'run', reason: pending.reason },
    client_id: pending.clientId,
    subject_id: pending.subjectId,
    turn_id: pending.turnId,
    trace_id: pending.traceId,
    session_id: pending.sessionId,
    mission_id: pending.missionId,
    task_id: pending.taskId,
    experiment_id: pending.experimentId,
    model: pending.model,
    effective_verdict: null,
    effective_action: 'none',
    low_confidence: false,
    overrides: [],
    created_at: pending.createdAt.toISOString(),
    settled_at: null,
    url: urlOf(ctx, pending.id),
  };
}

/** One of `overrides`; a grade without a ruling has `verdict` null. */
function overrideReply(ruling: Ruling): Record<string, unknown> {
  return {
    id: ruling.id,
    verdict: ruling.verdict,
    reason: ruling.reason,
    grade: ruling.grade,
    action: ruling.action,
    rater: ruling.rater,
    created_at: ruling.createdAt.toISOString(),
    undone: ruling.undone !== null,
  };
}

function urlOf(ctx: ProjectCtx, id: string): string {
  return `${ctx.env.webUrl}/p/${ctx.projectSlug}/verdicts/${id}`;
}
