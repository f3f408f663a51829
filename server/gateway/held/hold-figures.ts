import type { HeldIntegrity, IntegrityDetail } from '../../domain';
import { parseEnvelope } from '../../evaluators/figures';
import { newId } from '../../platform';
import type { Dialect } from '../dialects/dialect';
import { readChunks } from '../dialects/dialects';
import type { ExchangeRequest, HeldAnswer, Told } from '../exchange';
import type { HeldDeps, Scanned } from './deps';
import { asksEnvelope } from './envelope-request';
import { isTransientStatus, retryTransient } from './retry-transient';
import { scanAnswer } from './scan-answer';

/** An answer that is held until its figures are traced. */
export interface FigureHold {
  readonly request: ExchangeRequest;
  readonly dialect: Dialect;
  /** The request that the answer is to: the client's, or the one with the steering message. */
  readonly body: Buffer;
  readonly answer: HeldAnswer;
  /** Retries of the call that the answer is from. */
  readonly retries: number;
  readonly signal: AbortSignal;
}

export interface HeldFigures {
  readonly answer: HeldAnswer;
  readonly told: Told;
  readonly integrity: HeldIntegrity | null;
  /** The text without marks and footer, where the answer was rewritten. */
  readonly plainText: string | null;
  readonly envelope: string | null;
}

const ANSWER_BYTES_MAX = 8 * 1024 * 1024;
const ANY_NUMBER = /\p{N}/u;

/** What the model said: its envelope where it was asked for one and sent one, and the text that the user is to read. */
interface Said {
  readonly answer: HeldAnswer;
  readonly envelope: string | null;
  readonly text: string;
  /** The client reads it as JSON: a mark or a footer would break it, and so would prose in its place. */
  readonly isData: boolean;
}

/**
 * Traces the figures of a held answer before it is delivered: one corrective message at most (INT-7), then marks (INT-8). An answer that
 * calls tools is no final turn, and one of several choices is not rewritten: both go out as they are (INT-14). Never throws for what the
 * model or the upstream does.
 */
export async function holdFigures(deps: HeldDeps, hold: FigureHold): Promise<HeldFigures> {
  const { answer, request } = hold;
  const { read } = answer;
  if (read.toolCalls.length > 0 || read.choices > 1) return untouched(answer, { verdict: 'not_verified', reason: 'not_due' });
  if (read.text.trim() === '') return untouched(answer, { verdict: 'not_verified', reason: 'empty_text' });
  if (!read.complete) return untouched(answer, { verdict: 'unavailable', reason: 'error' });
  const asked = asksEnvelope(request.route, hold.dialect.name, hold.body);
  const verificationId = newId('ver', deps.clock.now());
  const first = said(answer, asked);
  if (first.envelope === null && !ANY_NUMBER.test(first.text)) {
    const integrity = fieldsOf({ mode: 'fallback_scan', unsourced: 0, parse_ok: false, reprompt_used: false }, hold.retries);
    return { ...untouched(answer, { verdict: 'passed', reason: null }, verificationId), integrity };
  }
  const scanned = await scan(deps, hold, first, false);
  if (scanned.state !== 'done') return unscanned(hold, first, toldUnscanned(scanned.state, verificationId));
  if (scanned.detail.unsourced === 0 || first.isData) return deliver(hold, first, scanned.detail, hold.retries, verificationId);
  return correct(deps, hold, { first, asked, detail: scanned.detail, verificationId });
}

/** Asks once for a corrected answer; where none can be had the first one goes out with its marks (INT-10). */
async function correct(
  deps: HeldDeps,
  hold: FigureHold,
  { first, asked, detail, verificationId }: { first: Said; asked: boolean; detail: IntegrityDetail; verificationId: string },
): Promise<HeldFigures> {
  const body = detail.reprompt === null ? null : hold.dialect.withCorrection(hold.body, first.answer.read.text, detail.reprompt);
  if (body === null) return deliver(hold, first, detail, hold.retries, verificationId);
  const call = deps.callUpstream(hold.request);
  const { outcome, retries: more } = await retryTransient(
    () => call({ body, signal: hold.signal, maxBytes: ANSWER_BYTES_MAX }),
    (each) => (each.state === 'failed' ? each.problem === 'timeout' || each.problem === 'reset' : isTransientStatus(each.status)),
    deps.wait,
    hold.signal,
  );
  const retries = hold.retries + more;
  const corrected = outcome.state === 'answered' && outcome.status === 200 ? readHeld(hold, outcome.chunks) : null;
  if (corrected === null) return deliver(hold, first, { ...detail, reprompt_used: true }, retries, verificationId);
  const second = said(corrected, asked);
  const scanned = await scan(deps, hold, second, true);
  if (scanned.state !== 'done') return unscanned(hold, second, toldUnscanned(scanned.state, verificationId));
  return deliver(hold, second, scanned.detail, retries, verificationId);
}

/** A corrected answer in the form of the first; null where it is not one to deliver. */
function readHeld({ dialect, answer: { form } }: FigureHold, chunks: readonly Buffer[]): HeldAnswer | null {
  const read = readChunks(dialect, chunks, form);
  if (read === null || !read.complete || read.toolCalls.length > 0 || read.text.trim() === '') return null;
  return { chunks, form, read };
}

function said(answer: HeldAnswer, asked: boolean): Said {
  const { text } = answer.read;
  const envelope = asked ? parseEnvelope(text) : null;
  return { answer, envelope: envelope === null ? null : text, text: envelope?.answer ?? text, isData: envelope === null && isJson(text) };
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

function scan(deps: HeldDeps, { request }: FigureHold, { envelope, text }: Said, repromptUsed: boolean): Promise<Scanned> {
  return scanAnswer(deps, { request, output: text, envelope, repromptUsed });
}

/**
 * The answer as it is to be read: marks where a figure lacks its source, and where it was rewritten anyway the sources below. JSON that the
 * client asked for goes out as it came: it is told of by the verdict alone.
 */
function deliver(
  { dialect }: FigureHold,
  { answer, envelope, text, isData }: Said,
  detail: IntegrityDetail,
  retries: number,
  verificationId: string,
): HeldFigures {
  const isFlagged = detail.unsourced > 0;
  const told: Told = { verdict: isFlagged ? 'flagged' : 'passed', reason: null, verificationId };
  const facts = { told, integrity: fieldsOf(detail, retries), envelope };
  if (isData || (!isFlagged && envelope === null)) return { ...facts, answer, plainText: null };
  const shown = detail.sources_footer === '' ? detail.answer : `${detail.answer}\n\n${detail.sources_footer}`;
  const rewritten = dialect.withText(answer, shown);
  return rewritten === null ? { ...facts, answer, plainText: null } : { ...facts, answer: rewritten, plainText: text };
}

/** Released without a verdict: as it is, but for an envelope that the client did not ask for. */
function unscanned({ dialect }: FigureHold, { answer, envelope, text }: Said, told: Told): HeldFigures {
  const rewritten = envelope === null ? null : dialect.withText(answer, text);
  if (rewritten === null) return { ...untouched(answer, told, told.verificationId), envelope };
  return { answer: rewritten, told, integrity: null, plainText: text, envelope };
}

const toldUnscanned = (state: 'late' | 'busy' | 'broken', verificationId: string): Told =>
  state === 'busy'
    ? { verdict: 'not_verified', reason: 'busy', verificationId: null }
    : { verdict: 'unavailable', reason: 'error', verificationId };

function untouched(answer: HeldAnswer, told: Pick<Told, 'verdict' | 'reason'>, verificationId: string | null = null): HeldFigures {
  return { answer, told: { ...told, verificationId }, integrity: null, plainText: null, envelope: null };
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
