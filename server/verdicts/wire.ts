import type { ProjectCtx } from '../access';
import type { FullVerdict, PendingVerdict } from './get';
import type { VerdictRow } from './rows';

/** The reply of every verify call and of `GET /v1/verifications/{id}` (api.md, Verify). */
export function verificationReply(ctx: ProjectCtx, verdict: FullVerdict | PendingVerdict): Record<string, unknown> {
  const url = `${ctx.env.webUrl}/p/${ctx.projectSlug}/verdicts/${verdict.id}`;
  const nothing = {
    outcome: null,
    verdict: null,
    action: 'none',
    score: null,
    confidence: null,
    needs_human_review: false,
    threshold: null,
    scores: [],
    issues: [],
    feedback: null,
  };
  const judge = { calls: 0, model: null, cross_model: null };
  const cost = { usd: 0, tokens: 0, share_of_task: null, over_budget: false };
  if (verdict.state !== 'settled') {
    return {
      id: verdict.id,
      kind: verdict.verifier,
      verifier: verdict.verifier,
      state: verdict.state,
      ...nothing,
      retries: { used: 0, budget: 0 },
      judge,
      cost,
      decision: { state: verdict.state === 'quarantined' ? 'failed' : 'run', reason: verdict.reason },
      client_id: null,
      subject_id: verdict.subjectId,
      turn_id: verdict.turnId,
      trace_id: null,
      session_id: null,
      model: null,
      effective_verdict: null,
      overrides: [],
      created_at: verdict.createdAt.toISOString(),
      settled_at: null,
      url,
    };
  }
  const repromptUsed = verdict.integrity?.reprompt_used === true;
  return {
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
    threshold: verdict.threshold,
    scores: verdict.scores,
    issues: verdict.issues,
    feedback: verdict.feedback,
    retries: { used: repromptUsed ? 1 : 0, budget: 1 },
    judge,
    cost,
    decision: verdict.decision,
    client_id: verdict.clientId,
    subject_id: verdict.subjectId,
    turn_id: verdict.turnId,
    trace_id: verdict.traceId,
    session_id: verdict.sessionId,
    model: verdict.model,
    effective_verdict: verdict.verdict,
    overrides: [],
    created_at: verdict.createdAt.toISOString(),
    settled_at: verdict.settledAt.toISOString(),
    url,
    [verdict.kind.replaceAll('-', '_')]: verdict.integrity,
  };
}

/** One item of `GET /v1/verifications`: the reply without what only one of them needs. */
export function verificationItem(ctx: ProjectCtx, row: VerdictRow): Record<string, unknown> {
  return {
    id: row.id,
    kind: row.kind,
    verifier: row.verifier,
    state: 'settled',
    outcome: row.outcome,
    verdict: row.verdict,
    score: row.score,
    model: row.model,
    excerpt: row.excerpt,
    turn_id: row.turnId,
    session_id: row.sessionId,
    created_at: row.createdAt.toISOString(),
    settled_at: row.settledAt.toISOString(),
    url: `${ctx.env.webUrl}/p/${ctx.projectSlug}/verdicts/${row.id}`,
  };
}
