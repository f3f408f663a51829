import { deriveOutcome, type Ask, type Outcome } from '../../domain';
import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { type AnySubjectKind, type JudgedDecision, type NotJudged, walkPlan, type Walk } from '../../verifiers';
import type { Judging, Settlement } from '../settle';
import { findKept, keepJudgement } from './kept-judgements';
import type { StoredSubject } from './load-subjects';
import type { Run, RunSource } from './run-setting';
import { readContent } from './subject-kinds';

export interface DecideSubject {
  readonly work: ClaimedWork;
  readonly stored: StoredSubject;
  readonly kind: AnySubjectKind;
  readonly runs: RunSource;
  /** Null in the fast lane: nodes that ask a model are left for the slow one. */
  readonly ask: Ask | null;
  readonly signal: AbortSignal;
}

/** A verdict, or why there is none yet: a model must be asked (`slow`), or is to be asked later because it is down (`blocked`, R-58). */
export type SubjectEnd =
  | { readonly state: 'decided'; readonly settlement: Settlement }
  | { readonly state: 'slow'; readonly hasDependents: boolean }
  | { readonly state: 'blocked'; readonly forMs: number; readonly reason: string };

/** Nodes of this price ask a model. */
const askingPrice = 100;
/** So long a judge that is down is waited for; then the verdict is inconclusive. */
const patienceMs = 24 * 60 * 60 * 1000;
const parkMs = { least: 1_000, most: 10 * 60_000 };

/**
 * Walks a subject's plan and decides. Deterministic nodes are run again in the slow lane: they cost nothing, and the walk is one.
 * @throws on faults of storage, and on content that this release cannot read
 */
export async function decideSubject(ctx: Ctx, input: DecideSubject): Promise<SubjectEnd> {
  const { work, stored, kind, ask, signal } = input;
  const content = readContent(kind, stored.content);
  const { subject } = content;
  const run = await input.runs.settingOf(kind, content, stored);
  const key = kind.cacheKey(subject, run.setting);
  const setting = { ...run.setting, kept: key === null ? null : await findKept(ctx, stored.projectId, key) };
  const context = { now: () => ctx.clock.monotonicMs(), signal, ...(ask === null ? {} : { ask }) };
  const walk = await walkPlan(kind.plan(subject, setting), context, ask === null ? askingPrice : undefined);
  if (walk.left.length > 0) return { state: 'slow', hasDependents: content.facts.has_dependents };
  const decided = kind.decide(walk, subject, setting);
  const waitedMs = ctx.clock.now().getTime() - work.createdAt.getTime();
  const { retryAfterMs } = decided.asked;
  if (decided.verdict === null && retryAfterMs !== null && waitedMs < patienceMs) {
    const forMs = Math.min(parkMs.most, Math.max(parkMs.least, retryAfterMs));
    return { state: 'blocked', forMs, reason: decided.issues[0]?.message ?? 'the judge cannot be asked now' };
  }
  if (key !== null && decided.keep !== null && setting.kept === null) await keepJudgement(ctx, stored.projectId, key, decided.keep);
  return { state: 'decided', settlement: settlementOf(input, subject, run, walk, decided) };
}

function settlementOf(
  { work, stored, kind }: DecideSubject,
  subject: unknown,
  run: Run,
  walk: Walk,
  decided: JudgedDecision<unknown>,
): Settlement {
  const { setting } = run;
  const warned = run.notice !== null && decided.asked.calls > 0 ? [warningOf(run.notice)] : [];
  return {
    work,
    kind: kind.name,
    verifierSlug: kind.name,
    verifierVersion: run.verifierVersion,
    turnId: null,
    traceId: stored.traceId,
    sessionId: stored.sessionId,
    model: stored.model,
    clientId: stored.clientId,
    outcome: outcomeOf(decided.verdict, setting.notJudged),
    verdict: decided.verdict,
    action: decided.action,
    score: decided.score,
    confidence: decided.confidence,
    needsHumanReview: decided.needsHumanReview,
    decision: setting.notJudged ?? { state: 'run', reason: null },
    issues: [...decided.issues, ...warned],
    feedback: decided.feedback,
    missionId: stored.missionId,
    taskId: stored.taskId,
    threshold: setting.thresholds.get('pass_threshold') ?? null,
    retries: setting.retries,
    judging: judgingOf(run, stored, decided),
    detail: decided.detail,
    excerpt: kind.excerptOf(subject),
    scores: walk.scores,
    integrity: null,
  };
}

/** Work that was not to be judged, and that no check decided, was skipped; that is no failure of the verifier, and nobody is called. */
function outcomeOf(verdict: string | null, notJudged: NotJudged | null): Outcome {
  const skipped = verdict === null && notJudged !== null && notJudged.state !== 'over_budget';
  return skipped ? 'skipped' : deriveOutcome(verdict);
}

/** VS-38: what judging cost, beside what the work did. */
function judgingOf({ crossModel, judging, setting }: Run, { costUsd }: StoredSubject, { asked }: JudgedDecision<unknown>): Judging {
  const share = costUsd === null || costUsd <= 0 ? null : asked.costUsd / costUsd;
  return {
    calls: asked.calls,
    model: asked.model,
    crossModel: asked.calls === 0 ? null : crossModel,
    costUsd: asked.costUsd,
    tokens: asked.tokens,
    shareOfTask: share,
    overBudget: setting.notJudged?.state === 'over_budget' || (share !== null && share > judging.costBudgetShare),
  };
}

function warningOf(message: string): Settlement['issues'][number] {
  return { code: 'judge_related', message, severity: 'low', path: null };
}
