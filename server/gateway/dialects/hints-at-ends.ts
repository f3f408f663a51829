import { skipSpace, skipString, skipValue } from '../../domain';
import type { RequestHints } from './dialect';
import { JsonView } from './json-view';
import { type ListShape, OTHERS_MAX, toHints } from './list-shape';

/**
 * Reads a large request from both ends without parsing it. From the front, members follow each
 * other until one does not end within a few KiB. From the back, a closing brace or quote outside of
 * strings can be traced to where it opened, since quotes within strings are escaped. Depth is thus
 * known at both ends, and a key in a tool schema, metadata or message is not mistaken for one of
 * the request. If anything is uncertain, the result is null, and the caller scans the whole
 * request.
 */

const HEAD_BYTES = 2048;
const TAIL_BYTES = 4096;
const FAR_BYTES = 65_536;
const RECENT_BYTES = 1_048_576;
const RECENT_ENTRIES = 5_000;
const NAMES = ['model', 'stream', 'user', 'metadata', 'litellm_session_id'];

/**
 * JSON texts, in latin1, of the members of a JSON object that are short and near one of its ends.
 * Never throws.
 */
export function memberTextsAtEnds(body: Buffer): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  try {
    walkFront(body, 'data', found);
    walkBack(body, body.length, true, found);
  } catch {
    // Not JSON: what was found before is kept.
  }
  return found;
}

/** Null: the result is uncertain. */
export function readEnds(body: Buffer, shape: ListShape): RequestHints | null {
  const found = new Map<string, string>();
  const front = walkFront(body, shape.list, found);
  if (front === null) return null;
  const fromBack = new Map<string, string>();
  let back = walkBack(body, body.length, true, fromBack);
  let last = back === null ? null : lastSpeaker(body, back, shape);
  if (last === 'no list' && back !== null) {
    // A list of tools follows the conversation. A key of that name within it does not lead to a
    // conversation list either.
    const key = body.lastIndexOf('"tools":', back);
    back = key <= front.at ? null : walkBack(body, key, false, fromBack);
    last = back === null ? null : lastSpeaker(body, back, shape);
  }
  if (back === null || last === null || last === 'no list' || back <= front.at) return null;
  // Either both ends lead into the same list, or the part between them has none of the names.
  const between = front.name === shape.list ? null : body.subarray(front.at, back);
  const known = new Map([...found, ...fromBack]);
  if (between !== null && NAMES.some((name) => !known.has(name) && between.includes(`"${name}":`)))
    return null;
  const at = (name: string): JsonView | null => {
    const token = known.get(name);
    return token === undefined ? null : JsonView.glance(token);
  };
  return toHints(at, last === 'result', shape);
}

/**
 * The first member that does not end near the front; a member other than the list may be long.
 * Null: there is none, or white space precedes a colon.
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
      text = body.toString('latin1', 0, FAR_BYTES);
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
 * Collects members from the back; the last of equal names wins. Returns the end of the value that
 * does not begin near the back; null: the text has another form. `end` is after the object
 * (`closed`), or after a comma between members.
 */
function walkBack(
  body: Buffer,
  end: number,
  closed: boolean,
  found: Map<string, string>,
): number | null {
  const base = Math.max(0, end - TAIL_BYTES);
  const text = body.toString('latin1', base, end);
  let at = spaceBack(text, text.length);
  if (text[at - 1] !== (closed ? '}' : ',')) return null;
  at = spaceBack(text, at - 1);
  for (;;) {
    const start = valueBack(text, at);
    if (start === null) return base + at;
    const colon = spaceBack(text, start);
    if (text[colon - 1] !== ':' || text[colon - 2] !== '"') return null;
    const keyStart = stringBack(text, colon - 1);
    if (keyStart === null) return null;
    const name = text.slice(keyStart + 1, colon - 2);
    if (!found.has(name)) found.set(name, text.slice(start, at));
    const comma = spaceBack(text, keyStart);
    if (text[comma - 1] !== ',') return null;
    at = spaceBack(text, comma - 1);
  }
}

/**
 * The last speaker in the list that ends at `end`. `no list`: no conversation list. Null: not
 * visible from the back.
 */
function lastSpeaker(
  body: Buffer,
  end: number,
  shape: ListShape,
): 'result' | 'user' | 'no list' | null {
  if (body[end - 1] !== 0x5d) return null;
  for (const bytes of [TAIL_BYTES, FAR_BYTES]) {
    const text = body.toString('latin1', Math.max(0, end - bytes), end);
    let at = spaceBack(text, text.length - 1);
    for (let others = 0; text[at - 1] === '}'; others++) {
      if (others > OTHERS_MAX) return 'user';
      const start = valueBack(text, at);
      if (start === null) break;
      const entry = JsonView.glance(text.slice(start, at));
      const speaker = shape.speaker((name) => entry.at(name));
      if (speaker === null) return 'no list';
      if (speaker !== 'other') return speaker;
      const comma = spaceBack(text, start);
      if (text[comma - 1] !== ',') return null;
      at = spaceBack(text, comma - 1);
    }
  }
  return null;
}

/**
 * A request with only the last entries of a large one's list. Null: the result is uncertain. Never
 * throws.
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
    const last = spaceBack(text, text.length - 1);
    const first = recentStart(text, last, shape);
    return first === null
      ? null
      : Buffer.from(`{"${shape.list}":[${text.slice(first, last)}]}`, 'latin1');
  } catch {
    return null;
  }
}

/**
 * Start of the entries to parse, among those that end at `last`; null: they are not entries of a
 * conversation.
 */
function recentStart(text: string, last: number, shape: ListShape): number | null {
  let first: number | null = null;
  let at = last;
  for (
    let entries = 0;
    entries < RECENT_ENTRIES && last - at < RECENT_BYTES && text[at - 1] === '}';
    entries++
  ) {
    const start = valueBack(text, at);
    if (start === null) break;
    const entry = JsonView.glance(text.slice(start, at));
    if (first === null && shape.speaker((name) => entry.at(name)) === null) return null;
    first = start;
    const comma = spaceBack(text, start);
    if (text[comma - 1] !== ',') break;
    at = spaceBack(text, comma - 1);
  }
  return first;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Index of the first character of the white space before `end`. */
function spaceBack(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Start of the string that closes before `end`; null: not in this text. */
function stringBack(text: string, end: number): number | null {
  let at = end - 2;
  while (at >= 0) {
    at = text.lastIndexOf('"', at);
    if (at === -1) return null;
    let back = at - 1;
    while (back >= 0 && text.charCodeAt(back) === 0x5c) back--;
    // If the text begins within backslashes, their number is unknown.
    if (back < 0 && at > 0) return null;
    if ((at - 1 - back) % 2 === 0) return at;
    at = back;
  }
  return null;
}

/** Start of the value that ends before `end`; null: not in this text. Never recurses. */
function valueBack(text: string, end: number): number | null {
  let at = end;
  let open = 0;
  while (at > 0) {
    const char = text[at - 1];
    if (char === '"') {
      const start = stringBack(text, at);
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
