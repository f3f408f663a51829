import type { AnswerVerification, JudgeCall, GatewayReason } from '../../domain';
import { crossModelOf } from '../../llm';
import { newId } from '../../platform';
import { trustText, whyAdvisory } from '../../thresholds';
import type { Permit } from '../proxy/breaker';
import type { Dialect, ReadRequest } from '../dialects/dialect';
import type { ExchangeRequest, BufferedAnswer, VerificationHeaders } from '../exchange';
import type { VerificationDeps, VerificationState, TurnPrompts } from './deps';
import { regenerate, type Regenerated, unapplied } from './regenerate';
import { recheck } from './recheck';

/** A buffered answer to verify, and the time left to do it. */
export interface AnswerToVerify {
  readonly request: ExchangeRequest;
  readonly dialect: Dialect;
  /** Null if the request could not be parsed. */
  readonly read: ReadRequest | null;
  readonly answer: BufferedAnswer;
  /** The text for the user, unwrapped from the envelope if there is one. */
  readonly completion: string;
  readonly state: VerificationState;
  readonly remainingMs: number;
  /** Fires when the client disconnects or the time is up. */
  readonly signal: AbortSignal;
  /** Fires when the client disconnects. */
  readonly disconnected: AbortSignal;
}

/** The answer to deliver, and the request that it answers. */
export interface VerifiedAnswer {
  readonly answer: BufferedAnswer;
  readonly body: Buffer;
  readonly outcome: VerificationHeaders;
  readonly episode: AnswerVerification | null;
  /** Rechecks the delivered text. Null if there is nothing left to measure. */
  readonly recheck: ((delivered: string) => Promise<AnswerVerification>) | null;
}

/** Maximum characters of the note in the log (QV-43). */
const LOGGED_CHARS = 200;

/** An answer whose request is not parsed yet. */
type UnreadAnswer = Omit<AnswerToVerify, 'read'>;

/**
 * Verifies one answer: the judge call, a reset of the session's counter regardless of the result
 * (QV-9), and for a steering note a regeneration, a deferred note or, in a control, nothing. Empty
 * text, an open circuit and a request that is too long skip the judge call and reset nothing
 * (QV-11, QV-13, QV-16).
 */
export async function verifyAnswer(
  deps: VerificationDeps,
  unread: UnreadAnswer,
): Promise<VerifiedAnswer> {
  const { request, completion, state } = unread;
  const { project, settings } = request.route;
  const verifier = settings.quality_verifier;
  const model = verifier.model ?? '';
  if (completion.trim() === '') return skipped(deps, unread, 'empty_text');
  if (state.breakerOpen) return skipped(deps, unread, 'circuit_open');
  const { dialect, body } = request;
  const parsed = await deps.bodies.work('recent', { projectId: project.id, dialect, body });
  if (parsed.state === 'busy') return skipped(deps, unread, 'busy');
  const read = parsed.state === 'done' ? parsed.result : 'too_long';
  if (read === 'too_long' || (read !== null && !fitsVerifier(read, verifier.max_history)))
    return skipped(deps, unread, 'overflow');
  const prompts = deps.promptsOf(project.id);
  const permit = deps.breakers.permit(project.id, model, verifier);
  if (permit.state === 'open') return skipped(deps, unread, 'circuit_open');
  const input: AnswerToVerify = { ...unread, read };
  const verificationId = newId('ver', deps.clock.now());
  const judgeCall = await judgeOrAbandon(deps, input, prompts, verificationId, permit);
  const isValid = judgeCall.decision !== 'verifier_failed';
  // A disconnect is not the verifier's fault, so the verification stays pending.
  if (!isValid && input.disconnected.aborted) {
    deps.breakers.abandon(project.id, model, permit);
    return { ...original(input, 'unavailable', 'error'), episode: { ...judgeCall, steer: null } };
  }
  deps.turns.reset(project.id, request.sessionId);
  deps.breakers.note(project.id, model, verifier, {
    permit,
    ok: isValid,
    problem: judgeCall.problem,
  });
  logVerification(deps, input, judgeCall);
  if (judgeCall.decision === 'pass')
    return {
      ...original(input, 'passed', null, verificationId),
      episode: { ...judgeCall, steer: null },
    };
  if (judgeCall.note === null)
    return {
      ...original(input, 'unavailable', 'error', verificationId),
      episode: { ...judgeCall, steer: null },
    };
  return steer(deps, input, { judgeCall, note: judgeCall.note, prompts, verificationId });
}

/**
 * Maximum UTF-16 units of the messages shown to a verifier. Few models accept more, and a larger
 * prompt would block the event loop.
 */
const SHOWN_CHARS_MAX = 512 * 1024;

function fitsVerifier({ messages }: ReadRequest, maxHistory: number | null): boolean {
  const shown = maxHistory === null ? messages : messages.slice(-maxHistory);
  return shown.reduce((sum, { content }) => sum + content.length, 0) <= SHOWN_CHARS_MAX;
}

/** Returns the breaker's permit if the judge call throws, so that another call may probe. */
async function judgeOrAbandon(
  deps: VerificationDeps,
  input: AnswerToVerify,
  prompts: TurnPrompts,
  verdictId: string,
  permit: Permit,
): Promise<JudgeCall> {
  const { request, completion, signal, remainingMs: deadlineMs } = input;
  const messages = input.read?.messages ?? [];
  try {
    return await deps.judge({
      request,
      prompts,
      messages,
      completion,
      verdictId,
      purpose: 'turn verifier',
      deadlineMs,
      signal,
    });
  } catch (error) {
    deps.breakers.abandon(
      request.route.project.id,
      request.route.settings.quality_verifier.model ?? '',
      permit,
    );
    throw error;
  }
}

async function steer(
  deps: VerificationDeps,
  input: AnswerToVerify,
  steering: {
    readonly judgeCall: JudgeCall;
    readonly note: string;
    readonly prompts: TurnPrompts;
    readonly verificationId: string;
  },
): Promise<VerifiedAnswer> {
  const { request } = input;
  const { control_share, deferred } = request.route.settings.quality_verifier;
  const regenerated = await applyNote(deps, input, steering, {
    isControl: deps.random() < control_share,
    deferred,
  });
  const { state } = regenerated.steer;
  const episode: AnswerVerification = { ...steering.judgeCall, steer: regenerated.steer };
  const isApplied = regenerated.answer !== null;
  const recheckDelivered =
    state === 'applied' || state === 'control'
      ? (delivered: string) => recheck(deps, input, { ...steering, episode, delivered })
      : null;
  return {
    answer: regenerated.answer ?? input.answer,
    body: regenerated.answer === null ? request.body : regenerated.body,
    outcome: {
      verdict: isApplied ? 'steered' : 'flagged',
      reason: null,
      verificationId: steering.verificationId,
    },
    episode,
    recheck: recheckDelivered,
  };
}

async function applyNote(
  deps: VerificationDeps,
  input: AnswerToVerify,
  {
    judgeCall,
    note,
    prompts,
  }: { readonly judgeCall: JudgeCall; readonly note: string; readonly prompts: TurnPrompts },
  { isControl, deferred }: { readonly isControl: boolean; readonly deferred: boolean },
): Promise<Regenerated> {
  // Must match the judge and the self-judging flag of the stored verdict.
  const self =
    judgeCall.model !== null &&
    crossModelOf(judgeCall.model, input.answer.read.model ?? input.request.model) === 'self';
  const advisoryReason = whyAdvisory(input.request.route.project.turnAuthority, {
    slug: 'turn',
    self,
    judge: judgeCall.model,
  });
  if (advisoryReason !== null) {
    return {
      steer: { ...unapplied('not_qualified'), problem: trustText(advisoryReason) },
      answer: null,
      body: input.request.body,
    };
  }
  if (isControl) return { steer: unapplied('control'), answer: null, body: input.request.body };
  if (!deferred) return regenerate(deps, input, prompts, note);
  const { noteKey, route } = input.request;
  if (noteKey !== null) deps.deferred.keep(route.project.id, noteKey, note);
  return { steer: unapplied('deferred'), answer: null, body: input.request.body };
}

function original(
  input: UnreadAnswer,
  verdict: VerificationHeaders['verdict'],
  reason: GatewayReason | null,
  verificationId: string | null = null,
): VerifiedAnswer {
  return {
    answer: input.answer,
    body: input.request.body,
    outcome: { verdict, reason, verificationId },
    episode: null,
    recheck: null,
  };
}

function skipped(
  { log }: VerificationDeps,
  input: UnreadAnswer,
  reason: GatewayReason,
): VerifiedAnswer {
  log.info({ ...logFields(input), skipped: reason }, 'quality verifier');
  return original(input, 'not_verified', reason);
}

function logVerification(
  { log }: VerificationDeps,
  input: UnreadAnswer,
  { decision, note, problem, model }: JudgeCall,
): void {
  const fields = {
    decision,
    note: note?.slice(0, LOGGED_CHARS).toWellFormed() ?? null,
    ...(problem === null ? {} : { problem }),
  };
  log.info(
    { ...logFields(input), ...(model === null ? {} : { model }), ...fields },
    'quality verifier',
  );
}

function logFields({ request, state }: UnreadAnswer) {
  const { model, frequency } = request.route.settings.quality_verifier;
  return {
    project: request.route.project.slug,
    route: request.route.name,
    call: request.id,
    session: request.sessionId,
    stream: request.stream,
    turns: state.counter === undefined ? null : Math.floor(state.counter / 1000),
    frequency,
    model,
  };
}
