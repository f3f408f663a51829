import { skipSpace, skipString, skipValue } from '../../domain';
import type { RequestHints } from './dialect';
import { JsonView } from './json-view';
import { type ListShape, OTHERS_MAX, toHints } from './list-shape';

/**
 * Reads a large request from both ends without parsing all of it. From the front, it reads members
 * one after another until one does not end within a few KiB. From the back, it traces each closing
 * brace or quote outside a string to its opening one, since quotes within strings are escaped. The
 * nesting depth is thus known at both ends, so a key in a tool schema, metadata or a message is not
 * mistaken for a key of the request. If anything is uncertain, the result is null, and the caller
 * scans the whole request.
 */

const HEAD_BYTES = 2048;
const TAIL_BYTES = 4096;
/** For a second attempt, if a member or an entry exceeds the limits above. */
const EXTENDED_BYTES = 65_536;
const RECENT_BYTES = 1_048_576;
const RECENT_ENTRIES = 5_000;
/** The members, besides the list, that hints are read from. */
const HINT_MEMBERS = ['model', 'stream', 'user', 'metadata', 'litellm_session_id'];

/**
 * Returns the members of a JSON object that are short and near one of its ends, as JSON text in
 * latin1. Never throws.
 */
export function memberTextsAtEnds(body: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  try {
    walkFront(body, 'data', found);
    walkBack(body, body.length, true, found);
  } catch {
    // The body is not JSON. The members found so far are returned.
  }
  return found;
}

/** Returns null if the result is uncertain. */
export function readEnds(body: Buffer, shape: ListShape): RequestHints | null {
  const found = new Map<string, string>();
  const front = walkFront(body, shape.list, found);
  if (front === null) return null;
  const fromBack = new Map<string, string>();
  let back = walkBack(body, body.length, true, fromBack);
  let last = back === null ? null : lastSpeaker(body, back, shape);
  if (last === 'no list' && back !== null) {
    // A list of tools follows the conversation. If the key found is one within that list, no
    // conversation list ends before it, and the result is null.
    const key = body.lastIndexOf('"tools":', back);
    back = key <= front.at ? null : walkBack(body, key, false, fromBack);
    last = back === null ? null : lastSpeaker(body, back, shape);
  }
  if (back === null || last === null || last === 'no list' || back <= front.at) return null;
  // Either both ends reach the same list, or the part between them must have no hint member.
  const between = front.name === shape.list ? null : body.subarray(front.at, back);
  const known = new Map([...found, ...fromBack]);
  if (
    between !== null &&
    HINT_MEMBERS.some((name) => !known.has(name) && between.includes(`"${name}":`))
  )
    return null;
  const at = (name: string): JsonView | null => {
    const token = known.get(name);
    return token === undefined ? null : JsonView.glance(token);
  };
  return toHints(at, last === 'result', shape);
}

/**
 * Collects members from the front. Returns the first member that does not end near the front; the
 * limit is higher for members other than the list. Returns null if there is none, or if white space
 * precedes a colon.
 */
function walkFront(
  body: Buffer,
  list: string,
  found: Map<string, string>,
): { name: string; at: number } | null {
  let text = body.toString('latin1', 0, HEAD_BYTES);
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return null;
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const keyEnd = skipString(text, at);
    if (text[keyEnd] !== ':') return null;
    const name = text.slice(at + 1, keyEnd - 1);
    const start = skipSpace(text, keyEnd + 1);
    let { end } = skipValue(name === list ? text.slice(0, start + HEAD_BYTES) : text, start);
    if (end >= text.length && name !== list && text.length === HEAD_BYTES) {
      text = body.toString('latin1', 0, EXTENDED_BYTES);
      ({ end } = skipValue(text, start));
    }
    if (end >= text.length || end === start + HEAD_BYTES) return { name, at: start };
    found.set(name, text.slice(start, end));
    at = skipSpace(text, end);
    if (text[at] !== ',') return null;
    at = skipSpace(text, at + 1);
  }
  return null;
}

/**
 * Collects members from the back; the last of equal names wins. Returns the end of the first value
 * that does not begin near the back, or null if the text has another form.
 * @param end the end of the object if `closed`, otherwise the position after a member's comma
 */
function walkBack(
  body: Buffer,
  end: number,
  closed: boolean,
  found: Map<string, string>,
): number | null {
  const base = Math.max(0, end - TAIL_BYTES);
  const text = body.toString('latin1', base, end);
  let at = spaceStart(text, text.length);
  if (text[at - 1] !== (closed ? '}' : ',')) return null;
  at = spaceStart(text, at - 1);
  for (;;) {
    const start = valueStart(text, at);
    if (start === null) return base + at;
    const colon = spaceStart(text, start);
    if (text[colon - 1] !== ':' || text[colon - 2] !== '"') return null;
    const keyStart = stringStart(text, colon - 1);
    if (keyStart === null) return null;
    const name = text.slice(keyStart + 1, colon - 2);
    if (!found.has(name)) found.set(name, text.slice(start, at));
    const comma = spaceStart(text, keyStart);
    if (text[comma - 1] !== ',') return null;
    at = spaceStart(text, comma - 1);
  }
}

/**
 * Returns the last speaker in the list that ends at `end`, `no list` if it is not a list of
 * messages, or null if the speaker cannot be determined from the back.
 */
function lastSpeaker(
  body: Buffer,
  end: number,
  shape: ListShape,
): 'result' | 'user' | 'no list' | null {
  if (body[end - 1] !== 0x5d) return null;
  for (const bytes of [TAIL_BYTES, EXTENDED_BYTES]) {
    const text = body.toString('latin1', Math.max(0, end - bytes), end);
    let at = spaceStart(text, text.length - 1);
    for (let others = 0; text[at - 1] === '}'; others++) {
      if (others > OTHERS_MAX) return 'user';
      const start = valueStart(text, at);
      if (start === null) break;
      const entry = JsonView.glance(text.slice(start, at));
      const speaker = shape.speaker((name) => entry.at(name));
      if (speaker === null) return 'no list';
      if (speaker !== 'other') return speaker;
      const comma = spaceStart(text, start);
      if (text[comma - 1] !== ',') return null;
      at = spaceStart(text, comma - 1);
    }
  }
  return null;
}

/**
 * Returns a request that has only the last entries of a large request's list, or null if the result
 * is uncertain. Never throws.
 */
export function recentEntries(body: Buffer, shape: ListShape): Buffer | null {
  try {
    let end = walkBack(body, body.length, true, new Map());
    if (end !== null && lastSpeaker(body, end, shape) === 'no list') {
      const key = body.lastIndexOf('"tools":', end);
      end = key === -1 ? null : walkBack(body, key, false, new Map());
    }
    if (end === null || body[end - 1] !== 0x5d) return null;
    const text = body.toString('latin1', 0, end);
    const last = spaceStart(text, text.length - 1);
    const first = recentEntriesStart(text, last, shape);
    return first === null
      ? null
      : Buffer.from(`{"${shape.list}":[${text.slice(first, last)}]}`, 'latin1');
  } catch {
    return null;
  }
}

/**
 * Returns the start of the most recent entries of the list whose last entry ends at `last`, or null
 * if they are not messages.
 */
function recentEntriesStart(text: string, last: number, shape: ListShape): number | null {
  let first: number | null = null;
  let at = last;
  for (
    let entries = 0;
    entries < RECENT_ENTRIES && last - at < RECENT_BYTES && text[at - 1] === '}';
    entries++
  ) {
    const start = valueStart(text, at);
    if (start === null) break;
    const entry = JsonView.glance(text.slice(start, at));
    if (first === null && shape.speaker((name) => entry.at(name)) === null) return null;
    first = start;
    const comma = spaceStart(text, start);
    if (text[comma - 1] !== ',') break;
    at = spaceStart(text, comma - 1);
  }
  return first;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** The start of the white space that ends at `end`. */
function spaceStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** The start of the string that ends at `end`; null if it begins before this text. */
function stringStart(text: string, end: number): number | null {
  let at = end - 2;
  while (at >= 0) {
    at = text.lastIndexOf('"', at);
    if (at === -1) return null;
    let back = at - 1;
    while (back >= 0 && text.charCodeAt(back) === 0x5c) back--;
    // If the text begins within a run of backslashes, their number is unknown.
    if (back < 0 && at > 0) return null;
    if ((at - 1 - back) % 2 === 0) return at;
    at = back;
  }
  return null;
}

/** The start of the value that ends at `end`; null if it begins before this text. Not recursive. */
function valueStart(text: string, end: number): number | null {
  let at = end;
  let open = 0;
  while (at > 0) {
    const char = text[at - 1];
    if (char === '"') {
      const start = stringStart(text, at);
      if (start === null) return null;
      at = start;
      if (open === 0) return at;
      continue;
    }
    if (char === '}' || char === ']') open++;
    else if (char === '{' || char === '[') {
      open--;
      if (open <= 0) return open === 0 ? at - 1 : null;
    } else if (open === 0 && (char === ':' || char === ',' || isSpace(text.charCodeAt(at - 1))))
      return at === end ? null : at;
    at--;
  }
  return null;
}
