import { parseEnvelope } from '../../figures';
import type { EnvelopeRequest } from './envelope-request';

/** A reply to a request for an envelope (INT-3, INT-6). */
export type Reply =
  | { readonly kind: 'envelope'; readonly answer: string; readonly envelope: string }
  /** Other JSON, which the user requested in the prompt. */
  | { readonly kind: 'data' }
  | { readonly kind: 'prose' }
  /**
   * A truncated or malformed envelope. `answer`: its readable text, or null. `isWhole`: the text is
   * complete, and only the JSON around it is broken.
   */
  | { readonly kind: 'broken'; readonly answer: string | null; readonly isWhole: boolean };

/** Maximum depth of envelopes within envelopes. */
const NESTED_MAX = 3;
const KEY = /[{,]\s*["'](?:answer|facts)["']\s*:/;
const BOTH_KEYS = [/["']answer["']\s*:/, /["']facts["']\s*:/];
const ANSWER = /"answer"\s*:\s*"/;

/** Parses a reply to a request for an envelope. Linear; never throws. */
export function parseEnvelopeReply(
  text: string,
  envelopeRequest: EnvelopeRequest,
  depth = 0,
): Reply {
  const envelope = parseEnvelope(text);
  if (envelope !== null) {
    const inner =
      depth < NESTED_MAX && maybeJson(envelope.answer)
        ? parseEnvelopeReply(envelope.answer, 'loose', depth + 1)
        : null;
    return inner?.kind === 'envelope' || inner?.kind === 'broken'
      ? inner
      : { kind: 'envelope', answer: envelope.answer, envelope: text };
  }
  const bare = withoutFence(text);
  const json = maybeJson(bare) ? parsed(bare) : undefined;
  if (json === undefined && bare.startsWith('"{') && depth < NESTED_MAX)
    return asBroken(parseEnvelopeReply(decoded(bare.slice(1)), envelopeRequest, depth + 1));
  if (typeof json === 'string' && depth < NESTED_MAX)
    return asBroken(parseEnvelopeReply(json, envelopeRequest, depth + 1));
  if (looksLikeEnvelope(bare)) return salvage(bare);
  if (envelopeRequest === 'loose' && json !== undefined && typeof json === 'object')
    return { kind: 'data' };
  // Other JSON where an envelope was required, or a truncated or malformed object.
  return bare.startsWith('{') || (json !== undefined && typeof json === 'object')
    ? salvage(bare)
    : { kind: 'prose' };
}

/** Whether a partial reply may become an envelope, so that it cannot be passed on yet. */
export function mayBeEnvelope(soFar: string): boolean {
  const bare = withoutFence(soFar);
  return bare === '' || '{["`'.includes(bare.charAt(0)) || looksLikeEnvelope(bare);
}

function looksLikeEnvelope(text: string): boolean {
  if (text.startsWith('{') || text.startsWith('[')) return KEY.test(text);
  return text.includes('{') && BOTH_KEYS.every((key) => key.test(text));
}

/** An envelope within a JSON string counts as broken: no client can read it. */
function asBroken(reply: Reply): Reply {
  return reply.kind === 'envelope'
    ? { kind: 'broken', answer: reply.answer, isWhole: true }
    : reply;
}

function salvage(text: string): Reply {
  const begins = ANSWER.exec(text);
  if (begins === null) return { kind: 'broken', answer: null, isWhole: false };
  const from = begins.index + begins[0].length;
  let end = from;
  while (end < text.length && text.charCodeAt(end) !== QUOTE)
    end += text.charCodeAt(end) === BACKSLASH ? 2 : 1;
  const isClosed = end < text.length;
  const written = text.slice(from, Math.min(end, text.length));
  const answer = decoded(isClosed ? written : written.replace(/\\(?:u[0-9a-fA-F]{0,3})?$/, ''));
  return {
    kind: 'broken',
    answer: answer.trim() === '' || maybeEnvelopeText(answer) ? null : answer,
    isWhole: isClosed,
  };
}

const maybeEnvelopeText = (answer: string): boolean =>
  maybeJson(answer) && looksLikeEnvelope(withoutFence(answer));

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Decodes a JSON string; invalid escapes are taken literally. */
function decoded(written: string): string {
  const valid = written.replaceAll(/\\(?:u[0-9a-fA-F]{4}|["\\/bfnrt])|[\\\p{Cc}]/gu, (found) =>
    found.length > 1 ? found : JSON.stringify(found).slice(1, -1),
  );
  const value = parsed(`"${valid}"`);
  return typeof value === 'string' ? value.toWellFormed() : '';
}

function maybeJson(text: string): boolean {
  return /^\s*["[{`]/.test(text);
}

/** Undefined if not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The content of a ``` fence, whether or not the fence is closed. */
function withoutFence(text: string): string {
  const bare = text.replace(/^\uFEFF/, '').trim();
  if (!bare.startsWith('```')) return bare;
  const firstLine = bare.indexOf('\n');
  if (firstLine === -1) return bare.replace(/^`{3,}(?:json)?\s*/i, '');
  return bare
    .slice(firstLine + 1)
    .replace(/\s*`{1,3}\s*$/, '')
    .trim();
}
