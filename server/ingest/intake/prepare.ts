import { z } from 'zod';
import {
  cleanText,
  hasUnstorableText,
  hasUsage,
  intakeLimits,
  type JsonSlice,
  type ModelUsage,
  sliceItems,
  sliceMembers,
  suspectEscape,
  WireTurn,
} from '../../domain';
import {
  derivedId,
  fieldSentence,
  invalid,
  issueDetails,
  newId,
  notJson,
  sha256,
  unknownMembers,
} from '../../platform';
import { inputExcerptOf } from './input-excerpt';

/** A turn ready to be stored. `payload` is its JSON text as sent. */
export interface PreparedTurn {
  readonly id: string;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly source: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly contentHash: string;
  readonly payload: string;
  /**
   * UTF-8 of a large payload on its way to the thread that stores it (`packTurn`); `payload` is
   * empty then.
   */
  readonly payloadBytes?: Uint8Array;
  /** Length of the text to verify, UTF-16 units. */
  readonly answerChars: number;
  /** It has tool results or context blocks. */
  readonly hasSources: boolean;
  /** The first line of the caller's last message, for lists; null without one. */
  readonly inputExcerpt: string | null;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The tokens and the sent cost of its calls, by model; empty if nothing was reported. */
  readonly usage: readonly ModelUsage[];
  readonly flags: readonly string[];
  /** Bytes as received, only where they differ from `payload`. */
  readonly original: Buffer | null;
}

export interface RejectedTurn {
  readonly index: number;
  readonly code: string;
  readonly message: string;
  readonly body: Buffer;
}

export interface PreparedBatch {
  readonly turns: readonly { readonly index: number; readonly turn: PreparedTurn }[];
  readonly rejected: readonly RejectedTurn[];
}

export interface PrepareOptions {
  readonly now: Date;
  /**
   * Ids of turns without one are derived from this and their position, so that a repeated request
   * finds its own rows.
   */
  readonly idSeed: string | null;
}

/**
 * Reads a `POST /v1/turns` body. One bad turn never rejects its neighbours; a body that is not
 * JSON, or has no `turns`, is refused whole.
 * @throws AssayError invalid_request
 */
export function prepareBatch(
  body: Buffer,
  validUtf8: boolean,
  options: PrepareOptions,
): PreparedBatch {
  const text = body.toString('utf8');
  const parsed = parseJson(text);
  const unknown = unknownMembers([Batch], parsed);
  const batch = Batch.safeParse(parsed);
  const faults = [...unknown, ...issueDetails(batch.error?.issues ?? [])];
  if (faults[0] !== undefined) throw invalid(faults[0].message, faults);
  const values = batch.data?.turns ?? [];
  const slices = sliceTurns(text);
  const bytes = validUtf8 ? null : originalBytes(body);
  const turns: { index: number; turn: PreparedTurn }[] = [];
  const rejected: RejectedTurn[] = [];
  values.forEach((value: unknown, index) => {
    const slice = slices[index];
    if (slice === undefined) throw new Error('the slices of a body do not match its values');
    const raw = text.slice(slice.start, slice.end);
    const original = bytes?.[index] ?? null;
    const done =
      refuseMembers(value, slice.depth) ??
      prepareOne(value, raw, slice.depth, original, options, index);
    if ('code' in done) rejected.push({ ...done, index, body: original ?? Buffer.from(raw) });
    else turns.push({ index, turn: done });
  });
  return { turns, rejected };
}

/** The members of the body itself; its turns are validated one by one. */
const Batch = z.object({ turns: z.array(z.unknown()).max(intakeLimits.turnsPerRequest) });

/** Unknown members are refused in a sent turn (S-127); turns already stored may have them. */
function refuseMembers(value: unknown, depth: number): Refusal | null {
  if (depth > intakeLimits.depth) return null;
  const details = unknownMembers([WireTurn], value);
  return details[0] === undefined
    ? null
    : refusal('invalid', fieldSentence(details[0], 'the turn'), details);
}

/**
 * A single turn's JSON text, as the verify routes accept it. @throws AssayError invalid_request
 * naming the field
 */
export function prepareTurn(
  body: Buffer,
  validUtf8: boolean,
  options: PrepareOptions,
): PreparedTurn {
  const text = body.toString('utf8');
  const value = parseJson(text);
  const [slice] = sliceItems(`[${text}]`);
  const done = prepareOne(
    value,
    text.trim(),
    slice?.depth ?? 0,
    validUtf8 ? null : body,
    options,
    0,
  );
  if ('code' in done) throw invalid(done.message, done.details);
  return done;
}

/**
 * Values that are already known when the caller itself wrote the turn by the rules of `WireTurn`.
 */
export type WrittenTurn = Pick<
  PreparedTurn,
  | 'id'
  | 'sessionId'
  | 'traceId'
  | 'source'
  | 'model'
  | 'startedAt'
  | 'endedAt'
  | 'answerChars'
  | 'hasSources'
  | 'inputExcerpt'
  | 'metadata'
  | 'usage'
>;

/**
 * Returns the same as `prepareTurn` for `text`, without parsing it again: a proxy writes thousands
 * per second.
 */
export function writtenTurn(turn: WrittenTurn, text: string): PreparedTurn {
  // A lone surrogate in a tool's output: as bytes it is the replacement character, which is all
  // that PostgreSQL accepts.
  const payload = text.toWellFormed();
  const isCleaned = suspectEscape.test(payload) && hasUnstorableText(JSON.parse(payload));
  return {
    id: clean(turn.id) ?? turn.id,
    sessionId: clean(turn.sessionId),
    traceId: clean(turn.traceId),
    source: clean(turn.source),
    model: clean(turn.model),
    startedAt: turn.startedAt,
    endedAt: turn.endedAt,
    contentHash: sha256(payload),
    payload,
    answerChars: turn.answerChars,
    hasSources: turn.hasSources,
    inputExcerpt: turn.inputExcerpt,
    tags: [],
    metadata: turn.metadata,
    usage: turn.usage,
    flags: isCleaned ? ['cleaned'] : [],
    original: null,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson('the body', text);
  }
}

function sliceTurns(text: string): (JsonSlice & { readonly depth: number })[] {
  const at = sliceMembers(text).get('turns');
  return at === undefined ? [] : sliceItems(text, at.start);
}

/**
 * JSON's structure is ASCII, so the same slices are found in the bytes, regardless of the content
 * of the strings.
 */
function originalBytes(body: Buffer): Buffer[] {
  const bytewise = body.toString('latin1');
  return sliceTurns(bytewise).map((slice) => body.subarray(slice.start, slice.end));
}

type Refusal = {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { path: string; message: string }[];
};

function prepareOne(
  value: unknown,
  raw: string,
  depth: number,
  original: Buffer | null,
  options: PrepareOptions,
  index: number,
): PreparedTurn | Refusal {
  if (depth > intakeLimits.depth) {
    return refusal(
      'too_deep',
      `The turn nests ${depth} levels deep; at most ${intakeLimits.depth} are allowed.`,
      [],
    );
  }
  const parsed = WireTurn.safeParse(value);
  if (!parsed.success) {
    const details = issueDetails(parsed.error.issues);
    const [first] = details;
    return refusal(
      'invalid',
      first === undefined ? 'The turn is not valid.' : fieldSentence(first, 'the turn'),
      details,
    );
  }
  const turn = parsed.data;
  const flags: string[] = [];
  if (suspectEscape.test(raw) && hasUnstorableText(value)) flags.push('cleaned');
  if (original !== null && raw.includes('\ufffd')) flags.push('invalid_utf8');
  const id =
    turn.id ??
    (options.idSeed === null
      ? newId('trn', options.now)
      : derivedId('trn', options.idSeed, String(index)));
  return {
    id: clean(id) ?? id,
    sessionId: clean(turn.session_id),
    traceId: clean(turn.trace_id),
    source: clean(turn.source),
    model: clean(turn.model ?? turn.executor_model),
    startedAt: time(turn.started_at),
    endedAt: time(turn.ended_at),
    contentHash: sha256(raw),
    payload: raw,
    answerChars: answerChars(turn),
    hasSources: (turn.tools?.length ?? 0) + (turn.context?.length ?? 0) > 0,
    inputExcerpt: inputExcerptOf(turn.input),
    tags: turn.tags ?? [],
    metadata: turn.metadata ?? {},
    usage: usageOf(turn),
    flags,
    original: flags.includes('invalid_utf8') ? original : null,
  };
}

function usageOf({ tokens, cost_usd: costUsd, ...turn }: WireTurn): ModelUsage[] {
  const usage: ModelUsage = {
    model: clean(turn.model ?? turn.executor_model),
    calls: 1,
    input: tokens?.input ?? null,
    output: tokens?.output ?? null,
    cacheRead: tokens?.cache_read ?? null,
    cacheWrite: tokens?.cache_write ?? null,
    reasoning: tokens?.reasoning ?? null,
    costUsd: costUsd ?? null,
  };
  return hasUsage(usage) ? [usage] : [];
}

function answerChars({ output, envelope }: WireTurn): number {
  const answer =
    typeof envelope === 'object' && envelope !== null && 'answer' in envelope
      ? envelope.answer
      : envelope;
  return Math.max(output?.length ?? 0, typeof answer === 'string' ? answer.length : 0);
}

function refusal(code: string, message: string, details: Refusal['details']): Refusal {
  return { code, message, details };
}

function clean(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : cleanText(text).text;
}

function time(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : new Date(text).toISOString();
}
