import type { z } from 'zod';
import { findObjects } from './strict-json';

/** A judge's required reply: one JSON object with the nonce of its question and this shape. */
export interface ReplyShape<Reply> {
  /** For providers that require a name. */
  readonly name: string;
  /** The reply before transforms, so that it can be sent to providers as JSON Schema. */
  readonly schema: z.ZodType;
  read(value: unknown): ReadReply<Reply>;
}

/**
 * @param fault faults that the schema cannot express; null when the reply is valid, else the fault
 * in our own words
 */
export function defineShape<Wire, Reply>(
  name: string,
  schema: z.ZodType<Wire>,
  into: (wire: Wire) => Reply,
  fault: (reply: Reply) => string | null,
): ReplyShape<Reply> {
  return {
    name,
    schema,
    read(value) {
      const parsed = schema.safeParse(value);
      if (!parsed.success) return refuse(faultsOf(parsed.error.issues));
      const reply = into(parsed.data);
      const wrong = fault(reply);
      return wrong === null ? { ok: true, reply } : refuse(wrong);
    },
  };
}

export type ReadReply<Reply> =
  | { readonly ok: true; readonly reply: Reply }
  | { readonly ok: false; readonly reason: string };

const CHARS_MAX = 262_144;

/**
 * Reads a judge's reply, strictly (R-53, S-23 to S-25): a fence or prose around exactly one object
 * is accepted; a second object, an object inside a list or another object, a duplicate key, another
 * nonce, a missing or surplus member or an out-of-range value makes the reply unreadable. Nothing
 * is coerced, clamped or filled in. Reasons are in our own words and do not repeat the reply, so
 * they can be sent to a judge. Linear in the text, which is bounded.
 */
export function readReply<Reply>(
  text: string,
  nonce: string,
  shape: ReplyShape<Reply>,
): ReadReply<Reply> {
  if (text.length > CHARS_MAX) return refuse(`it was longer than ${CHARS_MAX} characters`);
  const answer = withoutThinking(text);
  const objects = findObjects(answer);
  const [only] = objects;
  if (only === undefined)
    return refuse(answer.trim() === '' ? 'it was empty' : 'it contained no complete JSON object');
  if (objects.length > 1) return refuse('it contained more than one JSON object');
  if (
    /[[{,]\s{0,100}$/.test(answer.slice(Math.max(0, only.start - 101), only.start)) ||
    /^\s{0,100}[\]},]/.test(answer.slice(only.end, only.end + 101))
  ) {
    return refuse('its JSON object stood inside something else');
  }
  if (only.repeatedKey) return refuse('a member stood in it twice');
  const value: unknown = JSON.parse(answer.slice(only.start, only.end));
  if (typeof value !== 'object' || value === null || !('nonce' in value))
    return refuse('it did not bear the code of its question');
  if (value.nonce !== nonce) return refuse('it bore another code than that of its question');
  return shape.read(value);
}

function refuse(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** Some models write their thinking before they answer; it is not part of the answer. */
function withoutThinking(text: string): string {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith('<think>')) return text;
  const end = trimmed.indexOf('</think>');
  return end === -1 ? '' : trimmed.slice(end + '</think>'.length);
}

const FAULTS_SHOWN = 3;

function faultsOf(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues
    .slice(0, FAULTS_SHOWN)
    .map((issue) => `${placeOf(issue.path)} ${wordsOf(issue.code)}`);
  return issues.length > FAULTS_SHOWN
    ? `${shown.join('; ')}; and ${issues.length - FAULTS_SHOWN} more faults`
    : shown.join('; ');
}

/**
 * Names in a path are those of the schema, since surplus members are reported without their name.
 */
function placeOf(path: readonly PropertyKey[]): string {
  const place = path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  return place === '' ? 'the object' : `"${place.replace(/^\./, '')}"`;
}

function wordsOf(code: z.core.$ZodIssue['code']): string {
  switch (code) {
    case 'unrecognized_keys':
      return 'has members that were not asked for';
    case 'too_big':
    case 'too_small':
      return 'is out of its range';
    case 'invalid_value':
      return 'is none of the allowed words';
    default:
      return 'is missing or of the wrong type';
  }
}
