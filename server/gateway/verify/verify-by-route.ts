import type { Outcome, RouteVerification, SteeringRecord } from '../../domain';
import { createMasker } from '../../masking';
import type { UndeliveredTurn, UndeliveredVerdict } from '../../verdicts';
import type { BufferedAnswer, ExchangeRequest, VerificationHeaders } from '../exchange';
import { type AnsweredExchange, traceOf, usageOfExchange } from '../record/exchange-turn';
import { maskedModel, SESSION_CHARS, TURN_SOURCE } from '../record/turn-text';
import type { RouteVerifier } from '../input';
import type { VerificationDeps } from './deps';
import { regenerate, unapplied } from './regenerate';
import { countingSession } from './route-counting';

/** A buffered answer for the verifier of its route. */
export interface AnswerOfRoute {
  readonly request: ExchangeRequest;
  readonly verify: RouteVerifier;
  /** The client's own body. */
  readonly clientBody: Buffer;
  readonly answer: BufferedAnswer;
  /** The text for the user, unwrapped from the envelope if there is one. */
  readonly completion: string;
  /** The Quality Verifier has already replaced the answer: it is not regenerated again. */
  readonly isSteered: boolean;
  readonly remainingMs: number;
  /** Fires when the client disconnects or the time is up. */
  readonly signal: AbortSignal;
  /** Fires when the client disconnects. */
  readonly disconnected: AbortSignal;
}

/** The answer to deliver, and the request that it answers. */
export interface VerifiedByRoute {
  readonly answer: BufferedAnswer;
  readonly body: Buffer;
  readonly outcome: VerificationHeaders;
  /** Null if the answer is not eligible. */
  readonly verification: RouteVerification | null;
  /** The text that has a verdict, or will have one; null if there is none. */
  readonly verifiedText: string | null;
}

/**
 * Maximum characters of a turn that is verified before delivery: reading it blocks the event loop
 * for some milliseconds.
 */
const TURN_CHARS_MAX = 512 * 1024;
const PROBLEM_CHARS_MAX = 300;
/** Time for a statement in progress to return once the time is up. */
const LAST_MS = 100;

/**
 * Verifies a buffered answer with the verifier that its route names; a worker computes the verdict.
 * On a route that steers, a failed answer is regenerated once with the feedback of its verdict.
 * Without a verdict in time the answer is delivered as `unavailable`. An answer without text, or
 * with tool calls, is not final: the session's next answer is due. Never throws because of storage.
 */
export async function verifyByRoute(
  deps: VerificationDeps,
  input: AnswerOfRoute,
): Promise<VerifiedByRoute> {
  const { request, completion, answer } = input;
  if (completion.trim() === '') return ineligible(input, 'empty_text');
  if (answer.read.toolCalls.length > 0) return ineligible(input, 'not_due');
  const exchange = exchangeOf(deps, input);
  const owned = { projectId: request.route.project.id, dialect: request.dialect };
  const built = await deps.bodies.work('turn', { ...owned, body: input.clientBody }, exchange);
  const fits = built.state === 'done' && built.result.length <= TURN_CHARS_MAX;
  const found = fits
    ? await verdictInTime(deps, input, turnOf(exchange, built.result.toWellFormed()))
    : unread(built.state === 'busy' ? 'busy' : 'overflow');
  // A disconnect is not the verifier's fault, so the verification stays due.
  if (!input.disconnected.aborted)
    deps.turns.reset(owned.projectId, countingSession(request.sessionId));
  logFound(deps, input, found);
  return deliver(deps, input, found);
}

/** The exchange so far, as the recorder stores it after delivery. */
function exchangeOf(
  { clock }: VerificationDeps,
  { request, answer, completion }: AnswerOfRoute,
): AnsweredExchange {
  const { id, sessionId, clientRequestId, metadata, route } = request;
  const durationMs = clock.monotonicMs() - request.startedAt;
  return {
    request: { id, sessionId, clientRequestId, metadata },
    traceId: traceOf(request.headers),
    routeName: route.name,
    prices: route.provider?.prices ?? new Map(),
    sources: route.settings.integrity.sources,
    masks: route.project.masks,
    model: answer.read.model ?? request.model,
    startedOn: new Date(clock.now().getTime() - durationMs),
    durationMs,
    tokens: answer.read,
    text: completion,
    envelope: null,
    repromptUsed: false,
    record: null,
  };
}

function turnOf(exchange: AnsweredExchange, payload: string): UndeliveredTurn {
  const { request, traceId, startedOn, durationMs, masks } = exchange;
  const model = maskedModel(masks === null ? null : createMasker(masks), exchange.model);
  return {
    id: request.id,
    sessionId: request.sessionId.slice(0, SESSION_CHARS) || null,
    traceId,
    source: TURN_SOURCE,
    model,
    startedAt: startedOn,
    endedAt: new Date(startedOn.getTime() + durationMs),
    payload,
    usage: usageOfExchange(exchange).map((each) => ({ ...each, model })),
  };
}

function logFound(
  { log }: VerificationDeps,
  { request, verify }: AnswerOfRoute,
  { verdictId, verdict, problem }: FoundVerdict,
): void {
  const fields = {
    project: request.route.project.slug,
    route: request.route.name,
    call: request.id,
    verifier: verify.verifier,
    verification: verdictId,
  };
  if (verdict === null) log.warn({ ...fields, problem }, 'verifier of the route');
  else log.info({ ...fields, outcome: verdict.outcome }, 'verifier of the route');
}

/** The known state of the verification when the answer must be delivered. */
interface FoundVerdict {
  /** Null if, as far as known, nothing was stored. */
  readonly verdictId: string | null;
  readonly verdict: UndeliveredVerdict | null;
  readonly problem: string | null;
  /** The subject was not stored: the answer is verified after delivery. */
  readonly isOpen: boolean;
  /** The answer was not read, for this reason. */
  readonly unread?: 'busy' | 'overflow';
}

const unread = (reason: 'busy' | 'overflow'): FoundVerdict => ({
  verdictId: null,
  verdict: null,
  problem: reason === 'busy' ? 'too many answers wait' : 'the turn is too long',
  isOpen: true,
  unread: reason,
});

async function verdictInTime(
  { clock, turnVerifier, log }: VerificationDeps,
  { request, verify, signal, remainingMs }: AnswerOfRoute,
  turn: UndeliveredTurn,
): Promise<FoundVerdict> {
  const { project } = request.route;
  const began = clock.monotonicMs();
  const late = whenLate(signal);
  let verdictId: string | null = null;
  const noVerdictYet = { verdictId: null, verdict: null };
  try {
    const started = await Promise.race([
      turnVerifier.start(project, { verifier: verify.verifier, turn }),
      late.promise,
    ]);
    if (started === null)
      return { ...noVerdictYet, problem: 'it was not started in time', isOpen: false };
    if (started.state === 'refused')
      return { ...noVerdictYet, problem: started.problem, isOpen: true };
    ({ verdictId } = started);
    const waitMs = Math.max(0, remainingMs - (clock.monotonicMs() - began));
    const verdict = await Promise.race([
      turnVerifier.verdictOf(project, verdictId, { waitMs, signal }),
      late.promise,
    ]);
    const problem = verdict === null ? 'there was no verdict in time' : null;
    return { verdictId, verdict, problem, isOpen: false };
  } catch (error) {
    log.warn({ err: error, call: request.id }, 'an answer could not be verified before delivery');
    const problem = error instanceof Error ? error.message : String(error);
    return { verdictId, verdict: null, problem, isOpen: verdictId === null };
  } finally {
    late.stop();
  }
}

/** Resolves to null soon after the signal fires. */
function whenLate(signal: AbortSignal): {
  readonly promise: Promise<null>;
  readonly stop: () => void;
} {
  let timer: NodeJS.Timeout | undefined;
  let begin = (): void => undefined;
  const promise = new Promise<null>((resolve) => {
    begin = () => void (timer = setTimeout(() => resolve(null), LAST_MS));
  });
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    promise,
    stop() {
      clearTimeout(timer);
      signal.removeEventListener('abort', begin);
    },
  };
}

/** Delivers the answer with its outcome; on a route that steers, a failed one is replaced. */
async function deliver(
  deps: VerificationDeps,
  input: AnswerOfRoute,
  { verdictId, verdict, problem, isOpen, unread: reason }: FoundVerdict,
): Promise<VerifiedByRoute> {
  const outcome = outcomeOf(verdict?.outcome ?? null);
  const steered =
    verdict !== null && verdict.feedback !== null && input.verify.mode === 'steer'
      ? await steer(deps, input, verdict, verdict.feedback)
      : null;
  const isReplaced = steered !== null && steered.answer !== null;
  const headers: VerificationHeaders = {
    verdict: isReplaced ? 'steered' : outcome,
    reason: outcome === 'unavailable' ? (reason ?? 'error') : null,
    verificationId: verdictId,
  };
  return {
    answer: steered?.answer ?? input.answer,
    body: isReplaced ? steered.body : input.request.body,
    outcome: headers,
    verification: {
      verifier: input.verify.verifier,
      verdict_id: verdictId,
      verdict: headers.verdict,
      problem: problem?.slice(0, PROBLEM_CHARS_MAX).toWellFormed() ?? null,
      steer: steered?.steer ?? null,
    },
    verifiedText: isOpen ? null : input.completion,
  };
}

interface Steered {
  readonly steer: SteeringRecord;
  readonly answer: BufferedAnswer | null;
  readonly body: Buffer;
}

async function steer(
  deps: VerificationDeps,
  input: AnswerOfRoute,
  { advisory }: UndeliveredVerdict,
  note: string,
): Promise<Steered | null> {
  if (advisory !== null)
    return {
      steer: { ...unapplied('not_qualified'), problem: advisory },
      answer: null,
      body: input.request.body,
    };
  if (input.isSteered) return null;
  return regenerate(deps, input, deps.promptsOf(input.request.route.project.id), note);
}

/** A person has to decide about an answer that needs review, so it is not delivered as passed. */
function outcomeOf(outcome: Outcome | null): 'passed' | 'flagged' | 'unavailable' {
  if (outcome === 'passed') return 'passed';
  return outcome === 'failed' || outcome === 'needs_review' || outcome === 'steered'
    ? 'flagged'
    : 'unavailable';
}

function ineligible(
  { request, answer }: AnswerOfRoute,
  reason: 'empty_text' | 'not_due',
): VerifiedByRoute {
  return {
    answer,
    body: request.body,
    outcome: { verdict: 'not_verified', reason, verificationId: null },
    verification: null,
    verifiedText: null,
  };
}
