import { dialectOf } from '../dialects/dialects';
import type {
  ExchangeRequest,
  BufferedAnswer,
  FinishedAnswer,
  VerificationHeaders,
} from '../exchange';
import type { VerificationDeps, VerificationState } from './deps';
import { readEnvelopeRequest, checksFigures } from './envelope-request';
import { type VerifiedAnswer, verifyAnswer } from './verify-answer';
import { rewriteAnswer } from './read-answer';
import { type CheckedFigures, checkFigures } from './check-figures';
import { parseEnvelopeReply } from './unwrap';
import { unwrapAnswer } from './unwrap-answer';
import { type VerifiedByRoute, verifyByRoute } from './verify-by-route';

export type FinishAnswer = (
  request: ExchangeRequest,
  answer: BufferedAnswer,
  state: VerificationState,
  disconnected: AbortSignal,
) => Promise<FinishedAnswer>;

/** Time for aborted work to end after the deadline; then the original is delivered without it. */
const GRACE_MS = 500;

/**
 * Determines the treatment of a buffered answer: verification if it is due, then the figures check
 * if the route requires it. Returns exactly one answer; at the route's deadline, that is the
 * original with the results known by then. `disconnected` fires when the client disconnects. Never
 * throws.
 */
export function createFinishAnswer(deps: VerificationDeps): FinishAnswer {
  return async (request, answer, state, disconnected) => {
    const deadline =
      request.route.settings.total_seconds * 1000 - (deps.clock.monotonicMs() - request.startedAt);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), Math.max(0, deadline));
    let giveUp: NodeJS.Timeout | undefined;
    try {
      const work = {
        request,
        answer,
        state,
        disconnected,
        remainingMs: Math.max(0, deadline),
        signal: AbortSignal.any([disconnected, over.signal]),
      };
      const late = new Promise<FinishedAnswer>((resolve) => {
        giveUp = setTimeout(
          () => resolve(unverifiedOriginal(deps, request, answer)),
          Math.max(0, deadline) + GRACE_MS,
        );
      });
      return await Promise.race([finish(deps, work), late]);
    } catch (error) {
      deps.log.error({ err: error, call: request.id }, 'a buffered answer could not be verified');
      return await unverifiedOriginal(deps, request, answer);
    } finally {
      clearTimeout(timer);
      clearTimeout(giveUp);
    }
  };
}

interface Work {
  readonly request: ExchangeRequest;
  readonly answer: BufferedAnswer;
  readonly state: VerificationState;
  readonly disconnected: AbortSignal;
  readonly remainingMs: number;
  readonly signal: AbortSignal;
}

async function finish(deps: VerificationDeps, work: Work): Promise<FinishedAnswer> {
  const { request, answer, state, signal } = work;
  const dialect = dialectOf(request.dialect);
  const completion = readable(request, answer.read.text);
  const verified = state.shouldVerify
    ? await verifyAnswer(deps, { ...work, dialect, completion })
    : withoutVerification(request, answer);
  const routed = await routedAnswer(deps, work, verified);
  const { retries = 0 } = state;
  const figures = checksFigures(request.route)
    ? await checkFigures(deps, {
        request,
        dialect,
        body: routed?.body ?? verified.body,
        answer: routed?.answer ?? verified.answer,
        retries,
        signal,
      })
    : null;
  if (figures?.integrity != null)
    deps.log.debug({ call: request.id, ...figures.integrity }, 'integrity');
  return combine(request, verified, routed, figures);
}

/** The answer after the route's own verifier; null if it is not due. */
async function routedAnswer(
  deps: VerificationDeps,
  { request, state, disconnected, signal }: Work,
  { answer, body }: VerifiedAnswer,
): Promise<VerifiedByRoute | null> {
  const { verify } = request.route.settings;
  if (verify === null || state.routeShouldVerify !== true) return null;
  const elapsedMs = deps.clock.monotonicMs() - request.startedAt;
  const isSteered = body !== request.body;
  const routed = await verifyByRoute(deps, {
    request,
    verify,
    clientBody: state.clientBody ?? request.body,
    answer,
    completion: readable(request, answer.read.text),
    isSteered,
    remainingMs: request.route.settings.total_seconds * 1000 - elapsedMs,
    signal,
    disconnected,
  });
  return isSteered ? { ...routed, body } : routed;
}

function combine(
  request: ExchangeRequest,
  verified: VerifiedAnswer,
  routed: VerifiedByRoute | null,
  figures: CheckedFigures | null,
): FinishedAnswer {
  const answer = figures?.answer ?? routed?.answer ?? verified.answer;
  const plainText = figures?.plainText ?? null;
  const { recheck } = verified;
  const delivered = plainText ?? readable(request, answer.read.text);
  const undeliverable = figures?.undeliverable === true;
  return {
    answer,
    undeliverable,
    outcome:
      figures !== null && undeliverable
        ? figures.outcome
        : combineOutcomes(verified, routed?.outcome ?? null, figures?.outcome ?? null),
    episode: verified.episode,
    integrity: figures?.integrity ?? null,
    routed:
      routed === null || routed.verification === null
        ? null
        : { verification: routed.verification, isOpen: routed.verifiedText !== delivered },
    plainText,
    envelope: figures?.envelope ?? null,
    recheck: recheck === null ? null : () => recheck(delivered),
  };
}

/** An answer that is buffered only to check its figures. */
function withoutVerification(request: ExchangeRequest, answer: BufferedAnswer): VerifiedAnswer {
  const isOff = request.route.settings.quality_verifier.model === null;
  const reason = isOff ? 'disabled' : request.toolFollowup ? 'tool_followup' : 'not_due';
  return {
    answer,
    body: request.body,
    outcome: { verdict: 'not_verified', reason, verificationId: null },
    episode: null,
    recheck: null,
  };
}

/**
 * Combines the outcomes of judge, route verifier and figures check: `flagged` before `steered`
 * before `unavailable` before `passed`. If only one of them ran, its outcome counts. The id is the
 * judge's, if it was called, otherwise that of the first verification with one.
 */
function combineOutcomes(
  { outcome: turn, episode }: VerifiedAnswer,
  route: VerificationHeaders | null,
  figures: VerificationHeaders | null,
): VerificationHeaders {
  const otherOutcomes = [route, figures].filter((each) => each !== null);
  if (otherOutcomes.length === 0) return turn;
  const verificationId =
    episode === null
      ? (otherOutcomes.find((each) => each.verificationId !== null)?.verificationId ?? null)
      : turn.verificationId;
  const all = [turn, ...otherOutcomes];
  for (const verdict of ['flagged', 'steered', 'unavailable', 'passed'] as const) {
    const found = all.find((outcome) => outcome.verdict === verdict);
    if (found !== undefined) return { ...found, verificationId };
  }
  // No verifier ran: a disabled verifier is not the reason why another one did not run.
  return turn.reason === 'disabled' && route !== null ? route : turn;
}

/** The text for the user, unwrapped from the envelope if one was requested. */
function readable(request: ExchangeRequest, text: string): string {
  const envelopeRequest = readEnvelopeRequest(request.route, request.dialect, request.body);
  if (envelopeRequest === null) return text;
  const reply = parseEnvelopeReply(text, envelopeRequest);
  return reply.kind === 'envelope' || reply.kind === 'broken' ? (reply.answer ?? '') : text;
}

/** The original, without an envelope that the client did not request. */
async function unverifiedOriginal(
  deps: VerificationDeps,
  request: ExchangeRequest,
  answer: BufferedAnswer,
): Promise<FinishedAnswer> {
  const outcome: VerificationHeaders = {
    verdict: 'unavailable',
    reason: 'error',
    verificationId: null,
  };
  const unverified = { outcome, episode: null, integrity: null, recheck: null };
  const envelopeRequest = readEnvelopeRequest(request.route, request.dialect, request.body);
  const plain =
    envelopeRequest === null
      ? answer
      : await unwrapAnswer(answer, envelopeRequest, (whole, text) =>
          rewriteAnswer(deps, request, whole, text),
        );
  if (plain === null)
    return {
      ...unverified,
      answer,
      plainText: null,
      envelope: answer.read.text,
      undeliverable: true,
    };
  if (plain === answer) return { ...unverified, answer, plainText: null, envelope: null };
  return { ...unverified, answer: plain, plainText: plain.read.text, envelope: answer.read.text };
}
