import type { Episode, EpisodeLook, GatewayReason } from '../../domain';
import { judgeStanding } from '../../llm';
import { newId } from '../../platform';
import { standingText, whyAdvisory } from '../../thresholds';
import type { Permit } from '../proxy/breaker';
import type { Dialect, ReadRequest } from '../dialects/dialect';
import type { ExchangeRequest, BufferedAnswer, VerificationHeaders } from '../exchange';
import type { VerifyDeps, BufferState, TurnPrompts } from './deps';
import { regenerate, type Recalled, unapplied } from './regenerate';
import { recheck } from './recheck';

/** A due answer, with the time that is left for it. */
export interface DueAnswer {
  readonly request: ExchangeRequest;
  readonly dialect: Dialect;
  /** Null: the request could not be read. */
  readonly read: ReadRequest | null;
  readonly answer: BufferedAnswer;
  /** The text that the user is to read: without the envelope, where it is in one. */
  readonly completion: string;
  readonly state: BufferState;
  /** Milliseconds. */
  readonly leftMs: number;
  /** The client has left, or the time is over. */
  readonly signal: AbortSignal;
  /** The client has left. */
  readonly left: AbortSignal;
}

/** What an episode came to: which answer goes on, and the request that it is to. */
export interface EpisodeEnd {
  readonly answer: BufferedAnswer;
  readonly body: Buffer;
  readonly verification: VerificationHeaders;
  readonly episode: Episode | null;
  /** Given what was delivered, as it reads. Null where there is nothing more to find out. */
  readonly after: ((delivered: string) => Promise<Episode>) | null;
}

/** What is told of the note in the log (QV-43). */
const LOGGED_CHARS = 200;

/** Before its request is read. */
type UnreadAnswer = Omit<DueAnswer, 'read'>;

/**
 * One episode: the verifier looks, the session's counter starts again whatever came of it (QV-9),
 * and a steering note leads to a recall, to a deferred note, or on purpose to nothing. Empty text,
 * an open circuit and a request too long to be read are no episode, and reset nothing (QV-11,
 * QV-13, QV-16).
 */
export async function runEpisode(deps: VerifyDeps, unread: UnreadAnswer): Promise<EpisodeEnd> {
  const { request, completion, state } = unread;
  const { project, settings } = request.route;
  const verifier = settings.quality_verifier;
  const model = verifier.model ?? '';
  if (completion.trim() === '') return skipped(deps, unread, 'empty_text');
  if (state.breakerOpen) return skipped(deps, unread, 'circuit_open');
  const { dialect, body } = request;
  const found = await deps.bodies.work('recent', { projectId: project.id, dialect, body });
  if (found.state === 'busy') return skipped(deps, unread, 'busy');
  const read = found.state === 'done' ? found.result : 'too_long';
  if (read === 'too_long' || (read !== null && !fitsVerifier(read, verifier.max_history)))
    return skipped(deps, unread, 'overflow');
  const prompts = deps.promptsOf(project.id);
  const permit = deps.breakers.permit(project.id, model, verifier);
  if (permit.state === 'open') return skipped(deps, unread, 'circuit_open');
  const due: DueAnswer = { ...unread, read };
  const verificationId = newId('ver', deps.clock.now());
  const askVerifier = await askOrAbandon(deps, due, prompts, verificationId, permit);
  const isValid = askVerifier.decision !== 'verifier_failed';
  // Who leaves has broken the episode off: that is no fault of the verifier's, and the session is
  // still due.
  if (!isValid && due.left.aborted) {
    deps.breakers.abandon(project.id, model, permit);
    return { ...original(due, 'unavailable', 'error'), episode: { ...askVerifier, steer: null } };
  }
  deps.turns.reset(project.id, request.sessionId);
  deps.breakers.note(project.id, model, verifier, {
    permit,
    ok: isValid,
    problem: askVerifier.problem,
  });
  logDecision(deps, due, askVerifier);
  if (askVerifier.decision === 'pass')
    return {
      ...original(due, 'passed', null, verificationId),
      episode: { ...askVerifier, steer: null },
    };
  if (askVerifier.note === null)
    return {
      ...original(due, 'unavailable', 'error', verificationId),
      episode: { ...askVerifier, steer: null },
    };
  return steer(deps, due, { askVerifier, note: askVerifier.note, prompts, verificationId });
}

/**
 * UTF-16 units of the messages that a verifier is shown; few models take more, and asking with more
 * keeps the loop.
 */
const SHOWN_CHARS_MAX = 512 * 1024;

function fitsVerifier({ messages }: ReadRequest, maxHistory: number | null): boolean {
  const shown = maxHistory === null ? messages : messages.slice(-maxHistory);
  return shown.reduce((sum, { content }) => sum + content.length, 0) <= SHOWN_CHARS_MAX;
}

/** @throws what the look does, which is to throw nothing: then another call may probe */
async function askOrAbandon(
  deps: VerifyDeps,
  due: DueAnswer,
  prompts: TurnPrompts,
  verdictId: string,
  permit: Permit,
): Promise<EpisodeLook> {
  const { request, completion, signal, leftMs: deadlineMs } = due;
  const messages = due.read?.messages ?? [];
  try {
    return await deps.askVerifier({
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
  deps: VerifyDeps,
  due: DueAnswer,
  found: {
    readonly askVerifier: EpisodeLook;
    readonly note: string;
    readonly prompts: TurnPrompts;
    readonly verificationId: string;
  },
): Promise<EpisodeEnd> {
  const { request } = due;
  const { control_share, deferred } = request.route.settings.quality_verifier;
  const regenerated = await applyNote(deps, due, found, {
    isControl: deps.random() < control_share,
    deferred,
  });
  const { state } = regenerated.steer;
  const episode: Episode = { ...found.askVerifier, steer: regenerated.steer };
  const isApplied = regenerated.answer !== null;
  const after =
    state === 'applied' || state === 'control'
      ? (delivered: string) => recheck(deps, due, { ...found, episode, delivered })
      : null;
  return {
    answer: regenerated.answer ?? due.answer,
    body: regenerated.answer === null ? request.body : regenerated.body,
    verification: {
      verdict: isApplied ? 'steered' : 'flagged',
      reason: null,
      verificationId: found.verificationId,
    },
    episode,
    after,
  };
}

async function applyNote(
  deps: VerifyDeps,
  due: DueAnswer,
  {
    askVerifier,
    note,
    prompts,
  }: { readonly askVerifier: EpisodeLook; readonly note: string; readonly prompts: TurnPrompts },
  { isControl, deferred }: { readonly isControl: boolean; readonly deferred: boolean },
): Promise<Recalled> {
  // As the verdict will name who judged, and whether it judged its own work.
  const self =
    askVerifier.model !== null &&
    judgeStanding(askVerifier.model, due.answer.read.model ?? due.request.model) === 'self';
  const counterState = whyAdvisory(due.request.route.project.turnAuthority, {
    slug: 'turn',
    self,
    judge: askVerifier.model,
  });
  if (counterState !== null) {
    return {
      steer: { ...unapplied('not_qualified'), problem: standingText(counterState) },
      answer: null,
      body: due.request.body,
    };
  }
  if (isControl) return { steer: unapplied('control'), answer: null, body: due.request.body };
  if (!deferred) return regenerate(deps, due, prompts, note);
  const { noteKey, route } = due.request;
  if (noteKey !== null) deps.deferred.keep(route.project.id, noteKey, note);
  return { steer: unapplied('deferred'), answer: null, body: due.request.body };
}

function original(
  due: UnreadAnswer,
  verdict: VerificationHeaders['verdict'],
  reason: GatewayReason | null,
  verificationId: string | null = null,
): EpisodeEnd {
  return {
    answer: due.answer,
    body: due.request.body,
    verification: { verdict, reason, verificationId },
    episode: null,
    after: null,
  };
}

function skipped({ log }: VerifyDeps, due: UnreadAnswer, reason: GatewayReason): EpisodeEnd {
  log.info({ ...logged(due), skipped: reason }, 'quality verifier');
  return original(due, 'not_verified', reason);
}

function logDecision(
  { log }: VerifyDeps,
  due: UnreadAnswer,
  { decision, note, problem, model }: EpisodeLook,
): void {
  const said = {
    decision,
    note: note?.slice(0, LOGGED_CHARS).toWellFormed() ?? null,
    ...(problem === null ? {} : { problem }),
  };
  log.info({ ...logged(due), ...(model === null ? {} : { model }), ...said }, 'quality verifier');
}

function logged({ request, state }: UnreadAnswer) {
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
