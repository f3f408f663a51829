import type { HeldIntegrity, IntegrityDetail } from '../../domain';
import { newId } from '../../platform';
import { resultOf } from '../proxy/bodies';
import type { Dialect } from '../dialects/dialect';
import type { ExchangeRequest, BufferedAnswer, VerificationHeaders } from '../exchange';
import type { VerifyDeps, Scanned } from './deps';
import { asksEnvelope, type EnvelopeAsked } from './envelope-request';
import { readAnswer, rewriteAnswer } from './read-answer';
import { isTransientStatus, retryTransient } from './retry-transient';
import { scanAnswer } from './scan-answer';
import { readReply, type Reply } from './unwrap';

/** An answer that is held until its figures are traced. */
export interface FigureHold {
  readonly request: ExchangeRequest;
  readonly dialect: Dialect;
  /** The request that the answer is to: the client's, or the one with the steering message. */
  readonly body: Buffer;
  readonly answer: BufferedAnswer;
  /** Retries of the call that the answer is from. */
  readonly retries: number;
  readonly signal: AbortSignal;
}

export interface BufferedFigures {
  readonly answer: BufferedAnswer;
  readonly verification: VerificationHeaders;
  readonly integrity: HeldIntegrity | null;
  /** The text without marks and footer, where the answer was rewritten. */
  readonly plainText: string | null;
  readonly envelope: string | null;
  /** As in `Settled`. */
  readonly undeliverable?: boolean;
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const ANY_NUMBER = /\p{N}/u;

/**
 * What the model said: its envelope where it was asked for one and sent one, and the text that the
 * user is to read.
 */
interface Said {
  readonly answer: BufferedAnswer;
  readonly envelope: string | null;
  readonly text: string;
  /**
   * The client reads it as JSON: a mark or a footer would break it, and so would prose in its
   * place.
   */
  readonly isData: boolean;
  /**
   * An envelope that was cut or is malformed, with as much of its text as can be read: it never
   * passes.
   */
  readonly broken: Extract<Reply, { kind: 'broken' }> | null;
}

/**
 * Traces the figures of a held answer before it is delivered: one corrective message at most
 * (INT-7), then marks (INT-8). An answer that calls tools is no final turn, and one of several
 * choices is not rewritten: both go out as they are (INT-14). Never throws for what the model or
 * the upstream does.
 */
export async function holdFigures(deps: VerifyDeps, hold: FigureHold): Promise<BufferedFigures> {
  const { answer, request } = hold;
  const { read } = answer;
  const asked = asksEnvelope(request.route, hold.dialect.name, hold.body);
  const first = said(answer, asked);
  if (read.toolCalls.length > 0 || read.choices > 1)
    return unscanned(deps, hold, first, notVerified('not_due'));
  if (read.text.trim() === '') return untouched(answer, notVerified('empty_text'));
  if (!read.complete)
    return unscanned(deps, hold, first, {
      verdict: 'unavailable',
      reason: 'error',
      verificationId: null,
    });
  const verificationId = newId('ver', deps.clock.now());
  if (first.broken !== null && !first.broken.whole)
    return askPlain(deps, hold, first, verificationId);
  return verify(deps, hold, { first, asked, verificationId });
}

interface Verified {
  readonly first: Said;
  readonly asked: EnvelopeAsked | null;
  readonly verificationId: string;
}

async function verify(
  deps: VerifyDeps,
  hold: FigureHold,
  { first, asked, verificationId }: Verified,
): Promise<BufferedFigures> {
  const { answer } = hold;
  if (first.envelope === null && !ANY_NUMBER.test(first.text)) {
    const integrity = fieldsOf(
      { mode: 'fallback_scan', unsourced: 0, parse_ok: false, reprompt_used: false },
      hold.retries,
    );
    return { ...untouched(answer, { verdict: 'passed', reason: null }, verificationId), integrity };
  }
  const scanned = await scan(deps, hold, first, false);
  if (scanned.state !== 'done')
    return unscanned(deps, hold, first, unscannedHeaders(scanned.state, verificationId));
  if (scanned.detail.unsourced === 0 || first.isData)
    return deliver(deps, hold, first, scanned.detail, hold.retries, verificationId);
  return correct(deps, hold, { first, asked, detail: scanned.detail, verificationId });
}

/**
 * Asks once for a corrected answer; where none can be had the first one goes out with its marks
 * (INT-10).
 */
async function correct(
  deps: VerifyDeps,
  hold: FigureHold,
  {
    first,
    asked,
    detail,
    verificationId,
  }: { first: Said; asked: EnvelopeAsked | null; detail: IntegrityDetail; verificationId: string },
): Promise<BufferedFigures> {
  const body =
    detail.reprompt === null
      ? null
      : await correctedRequest(deps, hold, first.answer.read.text, detail.reprompt);
  if (body === null) return deliver(deps, hold, first, detail, hold.retries, verificationId);
  const { corrected, retries } = await callAgain(deps, hold, body);
  if (corrected === null)
    return deliver(deps, hold, first, { ...detail, reprompt_used: true }, retries, verificationId);
  const second = said(corrected, asked);
  // The first one is whole, and is known to lack sources: better with its marks than a part of
  // another.
  if (second.broken !== null && !second.broken.whole)
    return deliver(deps, hold, first, { ...detail, reprompt_used: true }, retries, verificationId);
  const scanned = await scan(deps, hold, second, true);
  if (scanned.state !== 'done')
    return unscanned(deps, hold, second, unscannedHeaders(scanned.state, verificationId));
  return deliver(deps, hold, second, scanned.detail, retries, verificationId);
}

/** The request with the answer and the corrective message behind it; null: it cannot be changed. */
async function correctedRequest(
  deps: VerifyDeps,
  { request, body }: FigureHold,
  answer: string,
  message: string,
): Promise<Buffer | null> {
  const owned = { projectId: request.route.project.id, dialect: request.dialect, body };
  return resultOf(await deps.bodies.work('correction', owned, answer, message));
}

type Again = { readonly corrected: BufferedAnswer | null; readonly retries: number };

async function callAgain(deps: VerifyDeps, hold: FigureHold, body: Buffer): Promise<Again> {
  const call = deps.callUpstream(hold.request);
  const { outcome, retries } = await retryTransient(
    () => call({ body, signal: hold.signal, maxBytes: ANSWER_BYTES_MAX }),
    {
      isTransient: (each) =>
        each.state === 'failed'
          ? each.problem === 'timeout' || each.problem === 'reset'
          : isTransientStatus(each.status),
      retryAfterMs: (each) => (each.state === 'answered' ? (each.retryAfterMs ?? null) : null),
    },
    deps.wait,
    hold.signal,
  );
  const corrected =
    outcome.state === 'answered' && outcome.status === 200
      ? await readBuffered(deps, hold, outcome.chunks)
      : null;
  return { corrected, retries: hold.retries + retries };
}

/**
 * The envelope was cut or cannot be read: the one further call asks for a plain answer, which needs
 * fewer tokens and no shape. Where none can be had, the part that can be read goes out with its
 * marks; where there is no such part, an error.
 */
async function askPlain(
  deps: VerifyDeps,
  hold: FigureHold,
  first: Said,
  verificationId: string,
): Promise<BufferedFigures> {
  // A steered request has no plain form: its note is in the body with the shape.
  const plain =
    hold.body === hold.request.body ? ((await hold.request.withoutShape?.()) ?? null) : null;
  const { corrected, retries } =
    plain === null
      ? { corrected: null, retries: hold.retries }
      : await callAgain(deps, hold, plain);
  // Nothing was asked for now, but a model may send an envelope all the same.
  const second = corrected === null ? null : said(corrected, 'loose');
  const best = second !== null && (second.broken === null || second.text !== '') ? second : first;
  const verification: VerificationHeaders = {
    verdict: 'unavailable',
    reason: 'error',
    verificationId,
  };
  if (best.text === '') return unscanned(deps, hold, best, verification);
  const scanned = await scan(deps, hold, best, plain !== null);
  if (scanned.state !== 'done')
    return unscanned(deps, hold, best, unscannedHeaders(scanned.state, verificationId));
  return deliver(deps, hold, best, scanned.detail, retries, verificationId);
}

/** A corrected answer in the form of the first; null where it is not one to deliver. */
async function readBuffered(
  deps: VerifyDeps,
  { request, answer: { form } }: FigureHold,
  chunks: readonly Buffer[],
): Promise<BufferedAnswer | null> {
  const read = await readAnswer(deps, request, chunks, form);
  if (read === null || !read.complete || read.toolCalls.length > 0 || read.text.trim() === '')
    return null;
  return { chunks, form, read };
}

function said(answer: BufferedAnswer, asked: EnvelopeAsked | null): Said {
  const { text } = answer.read;
  const reply: Reply = asked === null ? { kind: 'prose' } : readReply(text, asked);
  const base = { answer, envelope: null, text, isData: false, broken: null };
  if (reply.kind === 'envelope') return { ...base, envelope: reply.envelope, text: reply.answer };
  if (reply.kind === 'broken')
    return { ...base, envelope: text, text: reply.answer ?? '', broken: reply };
  return { ...base, isData: reply.kind === 'data' || isJson(text) };
}

/** An object or a list, and nothing around it. */
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
  deps: VerifyDeps,
  { request }: FigureHold,
  { envelope, text }: Said,
  repromptUsed: boolean,
): Promise<Scanned> {
  return scanAnswer(deps, { request, output: text, envelope, repromptUsed });
}

/**
 * The answer as it is to be read: marks where a figure lacks its source, and where it was rewritten
 * anyway the sources below, unless the route leaves them out. JSON that the client asked for goes
 * out as it came: only the verdict speaks of it.
 */
async function deliver(
  deps: VerifyDeps,
  hold: FigureHold,
  said: Said,
  detail: IntegrityDetail,
  retries: number,
  verificationId: string,
): Promise<BufferedFigures> {
  const { answer, envelope, isData, broken } = said;
  const isFlagged = detail.unsourced > 0;
  const verification: VerificationHeaders = isFlagged
    ? { verdict: 'flagged', reason: null, verificationId }
    : broken === null
      ? { verdict: 'passed', reason: null, verificationId }
      : { verdict: 'unavailable', reason: 'error', verificationId };
  const integrity = fieldsOf(detail, retries);
  if (isData || (!isFlagged && envelope === null))
    return { verification, integrity, envelope, answer, plainText: null };
  const withFooter =
    detail.sources_footer !== '' && hold.request.route.settings.integrity.sources_footer;
  const shown = withFooter ? `${detail.answer}\n\n${detail.sources_footer}` : detail.answer;
  return { ...(await rewritten(deps, hold, said, shown, verification)), integrity };
}

/**
 * Released without a verdict: as it is, but for an envelope that the client did not ask for.
 */
async function unscanned(
  deps: VerifyDeps,
  hold: FigureHold,
  said: Said,
  verification: VerificationHeaders,
): Promise<BufferedFigures> {
  if (said.envelope === null)
    return untouched(said.answer, verification, verification.verificationId);
  return rewritten(deps, hold, said, said.text, verification);
}

/**
 * The answer with another text. An envelope that no text can take the place of is not delivered at
 * all.
 */
async function rewritten(
  deps: VerifyDeps,
  { request }: FigureHold,
  { answer, envelope, text, broken }: Said,
  shown: string,
  verification: VerificationHeaders,
): Promise<BufferedFigures> {
  const plain =
    shown.trim() === '' && broken !== null
      ? null
      : await rewriteAnswer(deps, request, answer, shown);
  if (plain !== null)
    return { answer: plain, verification, integrity: null, plainText: text, envelope };
  if (envelope === null)
    return { ...untouched(answer, verification, verification.verificationId), envelope };
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

const unscannedHeaders = (
  state: 'late' | 'busy' | 'broken',
  verificationId: string,
): VerificationHeaders =>
  state === 'busy'
    ? { verdict: 'not_verified', reason: 'busy', verificationId: null }
    : { verdict: 'unavailable', reason: 'error', verificationId };

function untouched(
  answer: BufferedAnswer,
  verification: Pick<VerificationHeaders, 'verdict' | 'reason'>,
  verificationId: string | null = null,
): BufferedFigures {
  return {
    answer,
    verification: { ...verification, verificationId },
    integrity: null,
    plainText: null,
    envelope: null,
  };
}

/** The fields of every answer turn (INT-12, INT-13). */
function fieldsOf(
  detail: Pick<IntegrityDetail, 'unsourced' | 'reprompt_used'> & {
    readonly mode: IntegrityDetail['mode'];
    readonly parse_ok: boolean | null;
  },
  retries: number,
): HeldIntegrity {
  return {
    integrity_mode: detail.mode ?? 'fallback_scan',
    integrity_unsourced: detail.unsourced,
    integrity_reprompt_used: detail.reprompt_used,
    integrity_parse_ok: detail.parse_ok === true,
    retries,
  };
}
