import type { BufferedIntegrity, IntegrityDetail } from '../../domain';
import { newId } from '../../platform';
import { bodyResult } from '../proxy/bodies';
import type { Dialect } from '../dialects/dialect';
import type { ExchangeRequest, BufferedAnswer, VerificationHeaders } from '../exchange';
import type { VerificationDeps, Scanned } from './deps';
import { readEnvelopeRequest, type EnvelopeRequest } from './envelope-request';
import { readAnswer, rewriteAnswer } from './read-answer';
import { isTransientStatus, retryTransient } from './retry-transient';
import { scanAnswer } from './scan-answer';
import { parseEnvelopeReply, type Reply } from './unwrap';

/** An answer that is buffered until its figures are traced. */
export interface FigureCheck {
  readonly request: ExchangeRequest;
  readonly dialect: Dialect;
  /** The request that was answered: the client's, or the one with the steering message. */
  readonly body: Buffer;
  readonly answer: BufferedAnswer;
  /** Retries of the call before this answer. */
  readonly retries: number;
  readonly signal: AbortSignal;
}

export interface CheckedFigures {
  readonly answer: BufferedAnswer;
  readonly outcome: VerificationHeaders;
  readonly integrity: BufferedIntegrity | null;
  /** The text without marks and footer, if the answer was rewritten. */
  readonly plainText: string | null;
  readonly envelope: string | null;
  /** As in `FinishedAnswer`. */
  readonly undeliverable?: boolean;
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const ANY_NUMBER = /\p{N}/u;

/** The model's reply: the envelope if one was requested and sent, and the text for the user. */
interface ModelReply {
  readonly answer: BufferedAnswer;
  readonly envelope: string | null;
  readonly text: string;
  /** The client parses it as JSON, which a mark, a footer or prose would break. */
  readonly isData: boolean;
  /** A truncated or malformed envelope with its readable text. Never passes. */
  readonly broken: Extract<Reply, { kind: 'broken' }> | null;
}

/**
 * Traces the figures of a buffered answer before delivery: at most one corrective message (INT-7),
 * then marks (INT-8). Answers with tool calls are not final, and answers with several choices are
 * not rewritten: both are delivered as they are (INT-14). Never throws because of the model or the
 * upstream.
 */
export async function checkFigures(
  deps: VerificationDeps,
  check: FigureCheck,
): Promise<CheckedFigures> {
  const { answer, request } = check;
  const { read } = answer;
  const envelopeRequest = readEnvelopeRequest(request.route, check.dialect.name, check.body);
  const first = readModelReply(answer, envelopeRequest);
  if (read.toolCalls.length > 0 || read.choices > 1)
    return unscanned(deps, check, first, notVerified('not_due'));
  if (read.text.trim() === '') return untouched(answer, notVerified('empty_text'));
  if (!read.complete)
    return unscanned(deps, check, first, {
      verdict: 'unavailable',
      reason: 'error',
      verificationId: null,
    });
  const verificationId = newId('ver', deps.clock.now());
  if (first.broken !== null && !first.broken.isWhole)
    return requestPlainAnswer(deps, check, first, verificationId);
  return verify(deps, check, { first, envelopeRequest, verificationId });
}

interface Verified {
  readonly first: ModelReply;
  readonly envelopeRequest: EnvelopeRequest | null;
  readonly verificationId: string;
}

async function verify(
  deps: VerificationDeps,
  check: FigureCheck,
  { first, envelopeRequest, verificationId }: Verified,
): Promise<CheckedFigures> {
  const { answer } = check;
  if (first.envelope === null && !ANY_NUMBER.test(first.text)) {
    const integrity = fieldsOf(
      { mode: 'fallback_scan', unsourced: 0, parse_ok: false, reprompt_used: false },
      check.retries,
    );
    return { ...untouched(answer, { verdict: 'passed', reason: null }, verificationId), integrity };
  }
  const scanned = await scan(deps, check, first, false);
  if (scanned.state !== 'done')
    return unscanned(deps, check, first, unscannedOutcome(scanned.state, verificationId));
  if (scanned.detail.unsourced === 0 || first.isData)
    return deliver(deps, check, first, scanned.detail, check.retries, verificationId);
  return correct(deps, check, { first, envelopeRequest, detail: scanned.detail, verificationId });
}

/**
 * Requests a corrected answer once; if there is none, delivers the first with its marks (INT-10).
 */
async function correct(
  deps: VerificationDeps,
  check: FigureCheck,
  {
    first,
    envelopeRequest,
    detail,
    verificationId,
  }: {
    first: ModelReply;
    envelopeRequest: EnvelopeRequest | null;
    detail: IntegrityDetail;
    verificationId: string;
  },
): Promise<CheckedFigures> {
  const body =
    detail.reprompt === null
      ? null
      : await correctedRequest(deps, check, first.answer.read.text, detail.reprompt);
  if (body === null) return deliver(deps, check, first, detail, check.retries, verificationId);
  const { corrected, retries } = await callAgain(deps, check, body);
  if (corrected === null)
    return deliver(deps, check, first, { ...detail, reprompt_used: true }, retries, verificationId);
  const second = readModelReply(corrected, envelopeRequest);
  // The first answer is complete, and with its marks it is better than part of another one.
  if (second.broken !== null && !second.broken.isWhole)
    return deliver(deps, check, first, { ...detail, reprompt_used: true }, retries, verificationId);
  const scanned = await scan(deps, check, second, true);
  if (scanned.state !== 'done')
    return unscanned(deps, check, second, unscannedOutcome(scanned.state, verificationId));
  return deliver(deps, check, second, scanned.detail, retries, verificationId);
}

/** The request followed by the answer and the corrective message; null if it cannot be changed. */
async function correctedRequest(
  deps: VerificationDeps,
  { request, body }: FigureCheck,
  answer: string,
  message: string,
): Promise<Buffer | null> {
  const owned = { projectId: request.route.project.id, dialect: request.dialect, body };
  return bodyResult(await deps.bodies.work('correction', owned, answer, message));
}

type Again = { readonly corrected: BufferedAnswer | null; readonly retries: number };

async function callAgain(deps: VerificationDeps, check: FigureCheck, body: Buffer): Promise<Again> {
  const call = deps.callUpstream(check.request);
  const { outcome, retries } = await retryTransient(
    () => call({ body, signal: check.signal, maxBytes: ANSWER_BYTES_MAX }),
    {
      isTransient: (each) =>
        each.state === 'failed'
          ? each.problem === 'timeout' || each.problem === 'reset'
          : isTransientStatus(each.status),
      retryAfterMs: (each) => (each.state === 'answered' ? (each.retryAfterMs ?? null) : null),
    },
    deps.wait,
    check.signal,
  );
  const corrected =
    outcome.state === 'answered' && outcome.status === 200
      ? await readCorrected(deps, check, outcome.chunks)
      : null;
  return { corrected, retries: check.retries + retries };
}

/**
 * The envelope is truncated or malformed: requests a plain answer once, which needs fewer tokens
 * and no schema. If there is none, delivers the readable part with its marks, else an error.
 */
async function requestPlainAnswer(
  deps: VerificationDeps,
  check: FigureCheck,
  first: ModelReply,
  verificationId: string,
): Promise<CheckedFigures> {
  // A steered request has no plain form: its body contains both the note and the schema.
  const plain =
    check.body === check.request.body ? ((await check.request.withoutShape?.()) ?? null) : null;
  const { corrected, retries } =
    plain === null
      ? { corrected: null, retries: check.retries }
      : await callAgain(deps, check, plain);
  // An envelope was not requested this time, but a model may send one anyway.
  const second = corrected === null ? null : readModelReply(corrected, 'loose');
  const best = second !== null && (second.broken === null || second.text !== '') ? second : first;
  const outcome: VerificationHeaders = { verdict: 'unavailable', reason: 'error', verificationId };
  if (best.text === '') return unscanned(deps, check, best, outcome);
  const scanned = await scan(deps, check, best, plain !== null);
  if (scanned.state !== 'done')
    return unscanned(deps, check, best, unscannedOutcome(scanned.state, verificationId));
  return deliver(deps, check, best, scanned.detail, retries, verificationId);
}

/** A corrected answer in the form of the first; null if it cannot be delivered. */
async function readCorrected(
  deps: VerificationDeps,
  { request, answer: { form } }: FigureCheck,
  chunks: readonly Buffer[],
): Promise<BufferedAnswer | null> {
  const read = await readAnswer(deps, request, chunks, form);
  if (read === null || !read.complete || read.toolCalls.length > 0 || read.text.trim() === '')
    return null;
  return { chunks, form, read };
}

function readModelReply(
  answer: BufferedAnswer,
  envelopeRequest: EnvelopeRequest | null,
): ModelReply {
  const { text } = answer.read;
  const reply: Reply =
    envelopeRequest === null ? { kind: 'prose' } : parseEnvelopeReply(text, envelopeRequest);
  const base = { answer, envelope: null, text, isData: false, broken: null };
  if (reply.kind === 'envelope') return { ...base, envelope: reply.envelope, text: reply.answer };
  if (reply.kind === 'broken')
    return { ...base, envelope: text, text: reply.answer ?? '', broken: reply };
  return { ...base, isData: reply.kind === 'data' || isJson(text) };
}

/** A JSON object or array with nothing around it. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function scan(
  deps: VerificationDeps,
  { request }: FigureCheck,
  { envelope, text }: ModelReply,
  repromptUsed: boolean,
): Promise<Scanned> {
  return scanAnswer(deps, { request, output: text, envelope, repromptUsed });
}

/**
 * Delivers the answer with marks on figures without a source and, if it is rewritten anyway, with
 * the list of sources below it, unless the route turns the list off. JSON that the client requested
 * is not changed: only the verdict reports the figures.
 */
async function deliver(
  deps: VerificationDeps,
  check: FigureCheck,
  reply: ModelReply,
  detail: IntegrityDetail,
  retries: number,
  verificationId: string,
): Promise<CheckedFigures> {
  const { answer, envelope, isData, broken } = reply;
  const isFlagged = detail.unsourced > 0;
  const outcome: VerificationHeaders = isFlagged
    ? { verdict: 'flagged', reason: null, verificationId }
    : broken === null
      ? { verdict: 'passed', reason: null, verificationId }
      : { verdict: 'unavailable', reason: 'error', verificationId };
  const integrity = fieldsOf(detail, retries);
  if (isData || (!isFlagged && envelope === null))
    return { outcome, integrity, envelope, answer, plainText: null };
  const withFooter =
    detail.sources_footer !== '' && check.request.route.settings.integrity.sources_footer;
  const shown = withFooter ? `${detail.answer}\n\n${detail.sources_footer}` : detail.answer;
  return { ...(await rewritten(deps, check, reply, shown, outcome)), integrity };
}

/**
 * Delivers without a verdict: unchanged, but without an envelope that the client did not
 * request.
 */
async function unscanned(
  deps: VerificationDeps,
  check: FigureCheck,
  reply: ModelReply,
  outcome: VerificationHeaders,
): Promise<CheckedFigures> {
  if (reply.envelope === null) return untouched(reply.answer, outcome, outcome.verificationId);
  return rewritten(deps, check, reply, reply.text, outcome);
}

/**
 * Replaces the text of the answer. An envelope that cannot be replaced by text is not delivered.
 */
async function rewritten(
  deps: VerificationDeps,
  { request }: FigureCheck,
  { answer, envelope, text, broken }: ModelReply,
  shown: string,
  outcome: VerificationHeaders,
): Promise<CheckedFigures> {
  const plain =
    shown.trim() === '' && broken !== null
      ? null
      : await rewriteAnswer(deps, request, answer, shown);
  if (plain !== null) return { answer: plain, outcome, integrity: null, plainText: text, envelope };
  if (envelope === null) return { ...untouched(answer, outcome, outcome.verificationId), envelope };
  const failed: VerificationHeaders = {
    verdict: 'unavailable',
    reason: 'error',
    verificationId: null,
  };
  return { ...untouched(answer, failed), envelope, undeliverable: true };
}

const notVerified = (reason: 'not_due' | 'empty_text'): VerificationHeaders => ({
  verdict: 'not_verified',
  reason,
  verificationId: null,
});

const unscannedOutcome = (
  state: 'late' | 'busy' | 'broken',
  verificationId: string,
): VerificationHeaders =>
  state === 'busy'
    ? { verdict: 'not_verified', reason: 'busy', verificationId: null }
    : { verdict: 'unavailable', reason: 'error', verificationId };

function untouched(
  answer: BufferedAnswer,
  outcome: Pick<VerificationHeaders, 'verdict' | 'reason'>,
  verificationId: string | null = null,
): CheckedFigures {
  return {
    answer,
    outcome: { ...outcome, verificationId },
    integrity: null,
    plainText: null,
    envelope: null,
  };
}

/** The integrity fields of every answer turn (INT-12, INT-13). */
function fieldsOf(
  detail: Pick<IntegrityDetail, 'unsourced' | 'reprompt_used'> & {
    readonly mode: IntegrityDetail['mode'];
    readonly parse_ok: boolean | null;
  },
  retries: number,
): BufferedIntegrity {
  return {
    integrity_mode: detail.mode ?? 'fallback_scan',
    integrity_unsourced: detail.unsourced,
    integrity_reprompt_used: detail.reprompt_used,
    integrity_parse_ok: detail.parse_ok === true,
    retries,
  };
}
