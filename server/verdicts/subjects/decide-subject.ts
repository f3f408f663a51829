import { type Ask, deriveOutcome, type Outcome } from '../../domain';
import type { RunGates } from '../../code';
import type { FunctionRunner } from '../../evaluators/functions';
import { crossModelOf } from '../../llm';
import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import {
  type AnyKind,
  type JudgeCost,
  type JudgedDecision,
  type NotJudged,
  undecidedOverBudget,
  walkPlan,
  type Walk,
} from '../../verifiers';
import { type Judging, type Settlement, unjudged } from '../settle';
import { readMissionCost, requireMissionReview } from '../missions/review-limit';
import type { ProjectJudging } from './judging';
import { findCachedJudgement, cacheJudgement } from './cached-judgements';
import type { SubjectFacts } from './load-subjects';
import type { JudgeNotice } from './judge-notices';
import { type Run, type RunSource, thresholdKeyOf } from './run-setting';
import { withinAuthority } from '../within-authority';
import { isInPlace } from '../work-items';
import type { SubjectContent } from './subject-content';
import type { SubjectDeps } from './subject-deps';

/** Dependencies that only the slow lane has: models and the sandbox. */
export interface SlowReach {
  readonly ask: Ask;
  readonly gates?: RunGates;
  readonly functions?: FunctionRunner;
}

export function slowReach(
  { gates, functions }: Pick<SubjectDeps, 'gates' | 'functions'>,
  ask: Ask,
): SlowReach {
  return {
    ask,
    ...(gates !== null && { gates }),
    ...(functions !== undefined && { functions }),
  };
}

export interface DecideSubject {
  readonly work: ClaimedWork;
  readonly stored: SubjectFacts;
  readonly kind: AnyKind;
  readonly content: SubjectContent;
  readonly runs: RunSource;
  /** Null in the fast lane, which leaves expensive nodes to the slow lane. */
  readonly slow: SlowReach | null;
  readonly signal: AbortSignal;
  /** A trial: neither reads nor writes cached judgements. */
  readonly isTrial?: true;
}

/**
 * A verdict, or why there is none yet: a model must be called (`slow`), or is down and must be
 * called later (`blocked`, R-58).
 */
export type SubjectEnd =
  | { readonly state: 'decided'; readonly settlement: Settlement }
  | { readonly state: 'slow'; readonly hasDependents: boolean }
  | { readonly state: 'blocked'; readonly forMs: number; readonly reason: string };

/** Nodes with at least this cost call a model or run a compiler; they run in the slow lane. */
const slowCost = 10;
/** How long to wait for a judge that is down before the verdict becomes inconclusive. */
const patienceMs = 24 * 60 * 60 * 1000;
const parkMs = { min: 1_000, max: 10 * 60_000 };

/**
 * Runs a subject's plan and decides the verdict. The slow lane runs the deterministic nodes again:
 * they cost nothing, and the walk must be complete.
 * @throws on storage faults, and on content that this release cannot read
 */
export async function decideSubject(ctx: Ctx, input: DecideSubject): Promise<SubjectEnd> {
  const { work, stored, kind, content, slow, signal } = input;
  const { subject } = content;
  const run = await input.runs.settingOf({ slug: work.verifier, kind }, content, stored);
  const key = input.isTrial === true ? null : kind.cacheKey(subject, run.setting);
  const setting = {
    ...run.setting,
    cached:
      key === null ? null : await findCachedJudgement(ctx, { projectId: stored.projectId, key }),
  };
  const context = {
    now: () => ctx.clock.monotonicMs(),
    signal,
    ...(ctx.budget && { budget: ctx.budget }),
    ...reachOf(slow, stored.projectId),
  };
  const walk = await walkPlan(
    kind.plan(subject, setting),
    context,
    slow === null ? slowCost : undefined,
  );
  ctx.budget?.enter('the verdict rule');
  if (walk.left.length > 0) return { state: 'slow', hasDependents: content.facts.has_dependents };
  const over = undecidedOverBudget(walk);
  const asDecided = kind.decide(walk, subject, setting);
  const decided: JudgedDecision<unknown> =
    over === null ? asDecided : { ...asDecided, ...over, basis: null, toCache: null };
  const forMs =
    decided.verdict === null ? parkedFor(ctx, work, decided.judgeCost.retryAfterMs) : null;
  if (forMs !== null) {
    return {
      state: 'blocked',
      forMs,
      reason: decided.issues[0]?.message ?? 'the judge cannot be asked now',
    };
  }
  if (key !== null && decided.toCache !== null && setting.cached === null)
    await cacheJudgement(ctx, {
      projectId: work.projectId,
      workId: work.id,
      key,
      value: decided.toCache,
    });
  return {
    state: 'decided',
    settlement: await reviewed(ctx, input, run, settlementOf(input, subject, run, walk, decided)),
  };
}

/** The models, gates and functions that the evaluators of one project may use. */
function reachOf(slow: SlowReach | null, projectId: string) {
  if (slow === null) return null;
  const { functions, ...reach } = slow;
  return { ...reach, ...(functions && { functions: functions.forProject(projectId) }) };
}

/** Applies the mission's review limit (VS-45); a trial is not a verdict of the mission. */
async function reviewed(
  ctx: Ctx,
  { stored, kind, isTrial }: DecideSubject,
  run: Run,
  settlement: Settlement,
): Promise<Settlement> {
  const { projectId, missionId } = stored;
  const { reviewAboveUsd } = run;
  if (isTrial === true || missionId === null || reviewAboveUsd === null) return settlement;
  return requireMissionReview(
    settlement,
    await readMissionCost(ctx, projectId, missionId),
    reviewAboveUsd,
    kind,
  );
}

function settlementOf(
  { work, stored, kind }: DecideSubject,
  subject: unknown,
  run: Run,
  walk: Walk,
  decided: JudgedDecision<unknown>,
): Settlement {
  const { setting } = run;
  const warned = judgeIssues(run.notices, decided.judgeCost);
  const judging = judgingOf(run, stored, decided);
  const decider = {
    slug: work.verifier,
    self: judging.crossModel === 'self',
    judge: judging.model,
  };
  const { action, issues } = withinAuthority(decided, run.judging.authority, decider);
  const isAdvice = action !== decided.action;
  return {
    ...originOf({ work, stored, kind }, run.judging),
    outcome:
      undecidedOverBudget(walk) === null
        ? (kind.rederive?.(decided.basis)?.(setting.thresholds).outcome ??
          outcomeOf(decided, setting.notJudged))
        : 'inconclusive',
    verdict: decided.verdict,
    action,
    score: decided.score,
    confidence: decided.confidence,
    needsHumanReview: decided.needsHumanReview,
    decision: decisionOf(decided, setting.notJudged),
    issues: [...issues, ...warned],
    feedback: decided.feedback,
    threshold: setting.thresholds.get(thresholdKeyOf(kind, subject, setting.config)) ?? null,
    // Turns and traces have no caller that counts retries.
    retries: isInPlace(work) ? null : setting.retries,
    judging,
    detail: isAdvice ? (kind.advisory?.(decided.detail) ?? decided.detail) : decided.detail,
    basis: decided.basis ?? null,
    excerpt: kind.excerptOf(subject),
    scores: walk.scores,
    integrity: kind.figuresOf?.(decided.detail) ?? null,
  };
}

/** The subject of a verdict and the verifier that made it. */
function originOf(
  { work, stored, kind }: Pick<DecideSubject, 'work' | 'stored' | 'kind'>,
  { simulated, version }: Pick<ProjectJudging, 'simulated' | 'version'>,
) {
  const { turnId, traceId, sessionId, missionId, taskId, model, clientId } = stored;
  return {
    work,
    simulatedAt: simulated ? stored.createdAt : null,
    kind: kind.name,
    verifierSlug: work.verifier,
    verifierVersion: version,
    turnId,
    traceId,
    sessionId,
    missionId,
    taskId,
    model,
    clientId,
  };
}

/** The verdict on a turn that was not verified, with the reason. */
export function skippedSettlement(
  input: Pick<DecideSubject, 'work' | 'stored' | 'kind'>,
  judging: ProjectJudging,
  { decision, detail, excerpt }: Pick<Settlement, 'decision' | 'detail' | 'excerpt'>,
): Settlement {
  return {
    ...originOf(input, judging),
    outcome: 'skipped',
    verdict: null,
    action: 'none',
    score: null,
    confidence: null,
    needsHumanReview: false,
    decision,
    issues: [],
    feedback: null,
    threshold: null,
    retries: null,
    judging: unjudged,
    detail,
    excerpt,
    scores: [],
    integrity: null,
  };
}

/**
 * Work that was exempt from judging and that no check decided is skipped: the verifier did not
 * fail, and no person is needed.
 */
function outcomeOf(
  { verdict, skipped }: JudgedDecision<unknown>,
  notJudged: NotJudged | null,
): Outcome {
  if (skipped != null) return 'skipped';
  const passedOver = verdict === null && notJudged !== null && notJudged.state !== 'over_budget';
  return passedOver ? 'skipped' : deriveOutcome(verdict);
}

function decisionOf(
  { skipped }: JudgedDecision<unknown>,
  notJudged: NotJudged | null,
): Settlement['decision'] {
  if (skipped != null) return { state: 'filtered', reason: skipped };
  return notJudged ?? { state: 'run', reason: null };
}

/** VS-38: compares the cost of judging with the cost of the work. */
function judgingOf(
  { crossModel, judging, setting }: Run,
  { costUsd, model }: SubjectFacts,
  { judgeCost, isRecorded }: JudgedDecision<unknown>,
): Judging {
  const share = costUsd === null || costUsd <= 0 ? null : judgeCost.costUsd / costUsd;
  return {
    calls: judgeCost.calls,
    model: judgeCost.model,
    crossModel:
      judgeCost.calls === 0 || judgeCost.model === null
        ? null
        : isRecorded === true
          ? crossModelOf(judgeCost.model, model)
          : crossModel,
    costUsd: judgeCost.costUsd,
    priceUnknown: judgeCost.priceUnknown,
    tokens: judgeCost.tokens,
    shareOfTask: share,
    overBudget:
      setting.notJudged?.state === 'over_budget' ||
      (share !== null && share > judging.costBudgetShare),
  };
}

/** A verdict's notices about its judges; empty if none was called. */
function judgeIssues(notices: readonly JudgeNotice[], judgeCost: JudgeCost): Settlement['issues'] {
  return judgeCost.calls === 0 ? [] : [...notices.map(warningOf), ...fallbackIssues(judgeCost)];
}

/**
 * How long to park work whose judge requested a pause; null if the work must not wait any
 * longer.
 */
function parkedFor(
  ctx: Ctx,
  { createdAt }: Pick<ClaimedWork, 'createdAt'>,
  retryAfterMs: number | null,
): number | null {
  const waitedMs = ctx.clock.now().getTime() - createdAt.getTime();
  if (retryAfterMs === null || waitedMs >= patienceMs) return null;
  return Math.min(parkMs.max, Math.max(parkMs.min, retryAfterMs));
}

/**
 * An issue for each judge without a result, with the reason and the judge that replaced it.
 */
function fallbackIssues({ replaced = [] }: JudgeCost): Settlement['issues'] {
  const messages = new Set(
    replaced.map(
      ({ model, by, reason }) =>
        `The judge ${model} gave no result (${reason}); ${by} judged instead`,
    ),
  );
  return [...messages].map((message) => ({
    code: 'judge_fallback',
    message: message.slice(0, 500).toWellFormed(),
    severity: 'low',
    path: null,
  }));
}

function warningOf({ code, message }: JudgeNotice): Settlement['issues'][number] {
  return { code, message, severity: 'low', path: null };
}
