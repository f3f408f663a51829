import { deriveOutcome, IntegrityDetail, type TurnContent } from '../domain';
import { judgeStanding } from '../llm';
import { classifyStorageError, type Ctx } from '../platform';
import {
  type ClaimedWork,
  dropWork,
  endUndecided,
  failWork,
  parkWork,
  passToSlow,
  type UndecidedWork,
} from '../queue';
import { loadRuleSources } from '../rules';
import { loadTurns, partBySize, type StoredTurn, turnKey } from '../ingest';
import { type Asked, type TurnKind, turnKinds } from '../verifiers';
import { loadTraceAnswers } from './rule-subjects/load-trace-answers';
import { withRuleSources } from './rule-sources';
import { loadVerifiers, type ProjectVerifier } from './settings';
import { type Judging, type Settlement, unjudged } from './settle';
import { settleApart } from './settle-apart';
import { judgeIssues } from './subjects/decide-subject';
import { type JudgeReach, type Unfinished, walkTurn } from './walk-turn';
import { withinAuthority } from './within-authority';

export interface VerifyInput {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
  readonly signal: AbortSignal;
  /** The kinds that this process can run; tests inject their own. */
  readonly kinds?: ReadonlyMap<string, TurnKind>;
  /**
   * In the slow lane: how judges are called. Without it a turn that needs a judge is passed to that
   * lane.
   */
  readonly judges?: JudgeReach;
  /** A caller waits for the verdicts. */
  readonly urgent?: boolean;
}

/** A verdict, or why there is none (yet). */
type TurnEnd =
  | { readonly state: 'decided'; readonly settlement: Settlement }
  | { readonly state: 'no_subject'; readonly reason: string }
  | Unfinished;

/**
 * The longest interval between settlements, so that a slow neighbour delays no verdict for long.
 */
const settleEveryMs = 1_000;
/**
 * The longest time without yielding to the event loop: the lease's heartbeat and other requests run
 * between two subjects.
 */
const yieldEveryMs = 20;

/**
 * Verifies claimed turns and settles them together, in parts if they are large or slow. One subject
 * that cannot be verified is returned with the reason and does not affect the others. Returns the
 * ids of the verdicts stored now.
 * @throws on storage faults: the rest is not settled, its leases expire and it becomes due again
 */
export async function verifyClaimed(ctx: Ctx, input: VerifyInput): Promise<ReadonlySet<string>> {
  const stored = new Set<string>();
  const slow: ClaimedWork[] = [];
  const verifiers = new Map<string, Map<string, ProjectVerifier>>();
  const sourcesOf = await loadRuleSources(ctx, input.claimed);
  for (const part of await partBySize(ctx, input.claimed)) {
    const turns = await loadTurns(ctx, part);
    const traces = await loadTraceAnswers(ctx, part);
    let settlements: Settlement[] = [];
    const ended: UndecidedWork[] = [];
    let settledAt = ctx.clock.monotonicMs();
    let yieldedAt = settledAt;
    for (const work of part) {
      ctx.budget?.begin(work);
      ctx.budget?.enter('reading the turn');
      const trace = traces.get(work);
      const readTurn =
        trace === undefined
          ? turns.get(turnKey(work.projectId, work.subjectId))
          : (): StoredTurn => trace;
      const end = await decideWork(
        ctx,
        input,
        work,
        readTurn && (() => withRuleSources(readTurn(), work, sourcesOf)),
        verifiers,
      );
      if (end?.state === 'decided') settlements.push(end.settlement);
      else if (end?.state === 'slow') slow.push(work);
      else if (end?.state === 'blocked') await parkWork(ctx, input.owner, work, end);
      else if (end?.state === 'no_subject') ended.push({ ...end, work, state: 'no_subject' });
      const now = ctx.clock.monotonicMs();
      if (now - yieldedAt > yieldEveryMs) {
        await new Promise((resolve) => setImmediate(resolve));
        yieldedAt = now;
      }
      if (now - settledAt > settleEveryMs) {
        for (const id of await settleApart(ctx, input.owner, settlements)) stored.add(id);
        settlements = [];
        settledAt = ctx.clock.monotonicMs();
      }
    }
    for (const id of await settleApart(ctx, input.owner, settlements)) stored.add(id);
    await endUndecided(ctx.sql, input.owner, ended);
  }
  if (slow.length > 0) await passToSlow(ctx, input.owner, slow, { urgent: input.urgent === true });
  return stored;
}

/**
 * Takes one piece of work to its end, or returns it with its reason (null). @throws on storage
 * faults
 */
async function decideWork(
  ctx: Ctx,
  input: VerifyInput,
  work: ClaimedWork,
  readTurn: (() => StoredTurn) | undefined,
  verifiers: Map<string, Map<string, ProjectVerifier>>,
): Promise<TurnEnd | null> {
  const kind = (input.kinds ?? turnKinds).get(work.verifier);
  if (kind === undefined) {
    await failWork(ctx, input.owner, work, `this release has no verifier "${work.verifier}"`);
    return null;
  }
  let ofProject = verifiers.get(work.verifier);
  if (ofProject === undefined) {
    const projectIds = input.claimed.map((each) => each.projectId);
    ofProject = await loadVerifiers(ctx, projectIds, work.verifier);
    verifiers.set(work.verifier, ofProject);
  }
  const verifier = ofProject.get(work.projectId);
  try {
    const turn = readTurn?.();
    if (turn === undefined || verifier === undefined)
      throw new Error(`the ${work.subjectKind} is not stored`);
    if (turn.revision === work.revision)
      return await decideTurn(ctx, work, turn, verifier, kind, input);
    await dropWork(ctx, input.owner, work);
  } catch (error) {
    if (classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error({ err: error, subject: work.subjectId }, 'a turn could not be verified');
    await failWork(ctx, input.owner, work, error instanceof Error ? error.message : String(error));
  }
  return null;
}

/** The verdict of one turn, or why it has none yet; nothing is stored. */
export async function decideTurn(
  ctx: Ctx,
  work: ClaimedWork,
  turn: StoredTurn,
  verifier: ProjectVerifier,
  kind: TurnKind,
  { signal, judges = null }: { readonly signal: AbortSignal; readonly judges?: JudgeReach | null },
): Promise<TurnEnd> {
  const common = commonOf(work, turn, verifier);
  const subject = kind.subjectOf(turn.content);
  const skip = subject === null ? nothingRecorded : whySkipped(turn.content, verifier);
  if (skip !== null)
    return {
      state: 'decided',
      settlement: { ...common, ...skippedAs, decision: skip.decision, detail: skip.detail },
    };
  const reason = isHandedOver(work, turn) ? null : kind.absent?.(subject, verifier.config);
  if (reason != null) return { state: 'no_subject', reason };
  const walked = await walkTurn(ctx, {
    work,
    executor: turn.model,
    verifier,
    kind,
    subject,
    judges,
    signal,
  });
  if (walked.state !== 'walked') return walked;
  const { walk, decided, taken, sitting } = walked;
  const judging = judgingOf(taken, turn.model, sitting?.crossModel ?? null);
  const decider = {
    slug: verifier.slug,
    self: judging.crossModel === 'self',
    judge: judging.model,
  };
  const { action, issues } = withinAuthority(decided, verifier.authority, decider);
  const settlement: Settlement = {
    ...common,
    judging,
    outcome: deriveOutcome(decided.verdict),
    verdict: decided.verdict,
    action,
    score: decided.score,
    confidence: decided.confidence,
    needsHumanReview: decided.needsHumanReview,
    decision: { state: 'run', reason: null },
    issues:
      taken === null || sitting === null
        ? issues
        : [...issues, ...judgeIssues(sitting.notices, taken)],
    feedback: decided.feedback,
    detail: decided.detail,
    scores: walk.scores,
    integrity: integrityOf(decided.detail),
  };
  return { state: 'decided', settlement };
}

/** A caller waits for its verdict, or was told of it with the answer. */
function isHandedOver({ rule }: ClaimedWork, { content }: StoredTurn): boolean {
  return rule === null || content.gateway?.integrity != null;
}

/** What only subjects of verify calls have. */
const turnsHaveNone = { missionId: null, taskId: null, threshold: null, retries: null } as const;

/** The members of a turn's verdict that do not depend on the findings. */
function commonOf(work: ClaimedWork, turn: StoredTurn, verifier: ProjectVerifier) {
  return {
    work,
    simulatedAt: verifier.simulated ? (turn.endedAt ?? turn.startedAt) : null,
    kind: verifier.kind,
    verifierSlug: verifier.slug,
    verifierVersion: verifier.version,
    turnId: work.subjectKind === 'turn' ? turn.id : null,
    traceId: turn.traceId,
    sessionId: turn.sessionId,
    model: turn.model,
    clientId: turn.content.clientId,
    ...turnsHaveNone,
    excerpt: excerptOf(turn.content),
  };
}

/** A turn that was not verified. */
const skippedAs = {
  judging: unjudged,
  outcome: 'skipped',
  verdict: null,
  action: 'none',
  score: null,
  confidence: null,
  needsHumanReview: false,
  issues: [],
  feedback: null,
  scores: [],
  integrity: null,
} as const;

/** The counted figures of integrity; null for other kinds, and if it did not run. */
function integrityOf(told: unknown): Settlement['integrity'] {
  const detail = IntegrityDetail.safeParse(told);
  if (!detail.success || detail.data.fields === null) return null;
  const { mode, figures, unsourced, reprompt_used: reprompt } = detail.data;
  return { fallback: mode === 'fallback_scan', figures: figures.length, unsourced, reprompt };
}

/** The cost of a second opinion, or the cost stated in a record that a kind reads. */
function judgingOf(
  taken: Asked | null,
  executor: string | null,
  chosen: Judging['crossModel'],
): Judging {
  if (taken === null) return unjudged;
  const { calls, model, costUsd, priceUnknown, tokens } = taken;
  const crossModel =
    calls === 0 || model === null ? null : (chosen ?? judgeStanding(model, executor));
  return { ...unjudged, calls, model, crossModel, costUsd, priceUnknown, tokens };
}

interface Skip {
  readonly decision: { readonly state: string; readonly reason: string };
  readonly detail: object;
}

/** Work for a record that the turn does not have, or that the gateway did not write. */
const nothingRecorded: Skip = {
  decision: { state: 'filtered', reason: 'the turn has no verification that the gateway recorded' },
  detail: { decision: 'skipped', note: null, calls: 0, problem: null, steer: null },
};

/**
 * Off is a pass-through (INT-11); a relay of an answer that its origin has checked is not checked
 * again (INT-15).
 */
function whySkipped(turn: TurnContent, verifier: ProjectVerifier): Skip | null {
  if (verifier.kind !== 'integrity') return null;
  const verbatim: IntegrityDetail = {
    mode: null,
    unsourced: 0,
    parse_ok: null,
    reprompt_used: turn.repromptUsed,
    figures: [],
    answer: turn.answer,
    sources_footer: '',
    reprompt: null,
    fields: null,
  };
  if (verifier.offBy !== null) {
    const where =
      verifier.offBy === 'environment'
        ? 'by the environment (ASSAY_AI_INTEGRITY)'
        : 'in the project settings';
    return {
      decision: { state: 'blocked', reason: `integrity is switched off ${where}` },
      detail: verbatim,
    };
  }
  const origin = originResult(turn.relayedFrom);
  if (origin === null) return null;
  return {
    decision: { state: 'duplicate', reason: 'relayed: integrity ran where the answer was made' },
    detail: { ...verbatim, unsourced: origin.unsourced, sources_footer: origin.footer },
  };
}

/**
 * The origin's own result, as sent with the relay; null if the relay has none, and then it is
 * checked here.
 */
function originResult(relayedFrom: unknown): { unsourced: number; footer: string } | null {
  if (typeof relayedFrom !== 'object' || relayedFrom === null) return null;
  const held =
    'integrity' in relayedFrom && typeof relayedFrom.integrity === 'object'
      ? relayedFrom.integrity
      : relayedFrom;
  if (held === null || typeof held !== 'object') return null;
  const unsourced =
    'unsourced' in held
      ? held.unsourced
      : 'integrity_unsourced' in held
        ? held.integrity_unsourced
        : undefined;
  if (typeof unsourced !== 'number' || !Number.isInteger(unsourced) || unsourced < 0) return null;
  return {
    unsourced,
    footer:
      'sources_footer' in held && typeof held.sources_footer === 'string'
        ? held.sources_footer
        : '',
  };
}

function excerptOf(turn: TurnContent): string {
  return turn.answer.slice(0, 600).replace(/\s+/g, ' ').trim().slice(0, 160).toWellFormed();
}
