import { dialectOf } from '../dialects/dialects';
import type { ExchangeRequest, BufferedAnswer, Settled, VerificationHeaders } from '../exchange';
import type { VerifyDeps, BufferState } from './deps';
import { asksEnvelope, holdsFigures } from './envelope-request';
import { type EpisodeEnd, runEpisode } from './episode';
import { rewriteAnswer } from './read-answer';
import { type BufferedFigures, holdFigures } from './hold-figures';
import { readReply } from './unwrap';
import { unwrapAnswer } from './unwrap-answer';

export type FinishAnswer = (
  request: ExchangeRequest,
  answer: BufferedAnswer,
  state: BufferState,
  left: AbortSignal,
) => Promise<Settled>;

/**
 * What is broken off at the deadline has so long to come to its end; then the original goes out
 * without it.
 */
const GRACE_MS = 500;

/**
 * Decides what becomes of a held answer: the verifier's episode where it is due, then its figures
 * where the route holds them. Exactly one answer comes of it, and at the route's deadline it is the
 * original, with what is known until then. `left` fires when the client leaves. Never throws.
 */
export function createFinishAnswer(deps: VerifyDeps): FinishAnswer {
  return async (request, answer, state, left) => {
    const deadline =
      request.route.settings.total_seconds * 1000 - (deps.clock.monotonicMs() - request.startedAt);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), Math.max(0, deadline));
    let giveUp: NodeJS.Timeout | undefined;
    try {
      const given = {
        request,
        answer,
        state,
        left,
        leftMs: Math.max(0, deadline),
        signal: AbortSignal.any([left, over.signal]),
      };
      const late = new Promise<Settled>((resolve) => {
        giveUp = setTimeout(
          () => resolve(unsettled(deps, request, answer)),
          Math.max(0, deadline) + GRACE_MS,
        );
      });
      return await Promise.race([settle(deps, given), late]);
    } catch (error) {
      deps.log.error({ err: error, call: request.id }, 'a held answer could not be settled');
      return await unsettled(deps, request, answer);
    } finally {
      clearTimeout(timer);
      clearTimeout(giveUp);
    }
  };
}

interface Given {
  readonly request: ExchangeRequest;
  readonly answer: BufferedAnswer;
  readonly state: BufferState;
  readonly left: AbortSignal;
  readonly leftMs: number;
  readonly signal: AbortSignal;
}

async function settle(deps: VerifyDeps, given: Given): Promise<Settled> {
  const { request, answer, state, signal } = given;
  const dialect = dialectOf(request.dialect);
  const completion = readable(request, answer.read.text);
  const end = state.due
    ? await runEpisode(deps, { ...given, dialect, completion })
    : notDue(request, answer);
  const { retries = 0 } = state;
  const held = holdsFigures(request.route)
    ? await holdFigures(deps, {
        request,
        dialect,
        body: end.body,
        answer: end.answer,
        retries,
        signal,
      })
    : null;
  if (held?.integrity != null) deps.log.debug({ call: request.id, ...held.integrity }, 'integrity');
  return together(request, end, held);
}

function together(
  request: ExchangeRequest,
  end: EpisodeEnd,
  held: BufferedFigures | null,
): Settled {
  const answer = held?.answer ?? end.answer;
  const plainText = held?.plainText ?? null;
  const { after } = end;
  const delivered = plainText ?? readable(request, answer.read.text);
  const undeliverable = held?.undeliverable === true;
  return {
    answer,
    undeliverable,
    verification:
      held === null
        ? end.verification
        : undeliverable
          ? held.verification
          : worse(end.verification, held.verification, end.episode !== null),
    episode: end.episode,
    integrity: held?.integrity ?? null,
    plainText,
    envelope: held?.envelope ?? null,
    after: after === null ? null : () => after(delivered),
  };
}

/** An answer that was held for its figures alone. */
function notDue(request: ExchangeRequest, answer: BufferedAnswer): EpisodeEnd {
  const isOff = request.route.settings.quality_verifier.model === null;
  const reason = isOff ? 'disabled' : request.toolFollowup ? 'tool_followup' : 'not_due';
  return {
    answer,
    body: request.body,
    verification: { verdict: 'not_verified', reason, verificationId: null },
    episode: null,
    after: null,
  };
}

/**
 * What is told where both looked: a flag is above all, and steered stays steered; else what
 * could not be verified, else passed. Where only one of them looked it is that one's word. The id
 * is the episode's, if there was one.
 */
function worse(
  turn: VerificationHeaders,
  figures: VerificationHeaders,
  hasEpisode: boolean,
): VerificationHeaders {
  const verificationId = hasEpisode ? turn.verificationId : figures.verificationId;
  for (const verdict of ['flagged', 'steered', 'unavailable', 'passed'] as const) {
    const found = [turn, figures].find((verification) => verification.verdict === verdict);
    if (found !== undefined) return { ...found, verificationId };
  }
  return turn;
}

/** The text that the user is to read, where it came in an envelope that was asked for. */
function readable(request: ExchangeRequest, text: string): string {
  const asked = asksEnvelope(request.route, request.dialect, request.body);
  if (asked === null) return text;
  const reply = readReply(text, asked);
  return reply.kind === 'envelope' || reply.kind === 'broken' ? (reply.answer ?? '') : text;
}

/** The original, but for an envelope that the client did not ask for. */
async function unsettled(
  deps: VerifyDeps,
  request: ExchangeRequest,
  answer: BufferedAnswer,
): Promise<Settled> {
  const verification: VerificationHeaders = {
    verdict: 'unavailable',
    reason: 'error',
    verificationId: null,
  };
  const nothing = { verification, episode: null, integrity: null, after: null };
  const asked = asksEnvelope(request.route, request.dialect, request.body);
  const plain =
    asked === null
      ? answer
      : await unwrapAnswer(answer, asked, (whole, text) =>
          rewriteAnswer(deps, request, whole, text),
        );
  if (plain === null)
    return { ...nothing, answer, plainText: null, envelope: answer.read.text, undeliverable: true };
  if (plain === answer) return { ...nothing, answer, plainText: null, envelope: null };
  return { ...nothing, answer: plain, plainText: plain.read.text, envelope: answer.read.text };
}
