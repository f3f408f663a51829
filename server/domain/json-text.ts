/**
 * Reads JSON *text* without converting numbers to floats, so that digits survive as sent
 * (reliability.md section 6, "numbers": JSON.parse loses 9007199254740993 and 1e400). Every
 * function expects text that JSON.parse has accepted: they find boundaries and do not validate.
 */

/** A part of a JSON text, in UTF-16 units; `start` is inclusive, `end` exclusive. */
export interface JsonSlice {
  readonly start: number;
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The index just after the white space at `i`. */
export function skipSpace(text: string, i: number): number {
  let at = i;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** The index just after the string that opens at `i`. */
export function skipString(text: string, i: number): number {
  let at = text.indexOf('"', i + 1);
  while (at !== -1) {
    let back = at - 1;
    while (text.charCodeAt(back) === BACKSLASH) back--;
    if ((at - 1 - back) % 2 === 0) return at + 1;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}

/**
 * The index just after the value that starts at `i`, and its nesting depth (0 for a scalar, 1 for
 * `[]`). Never recurses.
 */
export function skipValue(text: string, i: number): { end: number; depth: number } {
  let at = i;
  let open = 0;
  let depth = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(text, at);
      if (open === 0) break;
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      open++;
      if (open > depth) depth = open;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (open === 0) break;
      open--;
      if (open === 0) return { end: at + 1, depth };
    } else if (
      open === 0 &&
      (code === COMMA || code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09)
    ) {
      break;
    }
    at++;
  }
  return { end: at, depth };
}

/**
 * The direct members of the object at `start` (leading white space is allowed). For a duplicate key
 * the last member wins, as in JSON.parse.
 */
export function sliceMembers(text: string, start = 0): Map<string, JsonSlice> {
  const members = new Map<string, JsonSlice>();
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return members;
  at = skipSpace(text, at + 1);
  while (text.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(text, at);
    const key = readString(text.slice(at, keyEnd));
    at = skipSpace(text, keyEnd);
    if (text.charCodeAt(at) === COLON) at = skipSpace(text, at + 1);
    const { end } = skipValue(text, at);
    members.set(key, { start: at, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return members;
}

/** The items of the array at `start`, each with its depth; empty if there is no array. */
export function sliceItems(text: string, start = 0): (JsonSlice & { readonly depth: number })[] {
  const items: (JsonSlice & { depth: number })[] = [];
  let at = skipSpace(text, start);
  if (text.charCodeAt(at) !== OPEN_ARRAY) return items;
  at = skipSpace(text, at + 1);
  while (at < text.length && text.charCodeAt(at) !== CLOSE_ARRAY) {
    const { end, depth } = skipValue(text, at);
    items.push({ start: at, end, depth });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) !== COMMA) break;
    at = skipSpace(text, at + 1);
  }
  return items;
}

function readString(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  const value: unknown = JSON.parse(token);
  return typeof value === 'string' ? value : token;
}

/**
 * The same text for all notations of a value: keys are sorted, white space is removed, strings are
 * re-escaped, and number tokens are kept as sent. The caller must limit the depth (intake refuses
 * more than 64).
 */
export function canonicalJson(text: string): string {
  const at = skipSpace(text, 0);
  const code = text.charCodeAt(at);
  if (code === OPEN_OBJECT) {
    const members = [...sliceMembers(text, at)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${members.map(([key, s]) => `${JSON.stringify(key)}:${canonicalJson(text.slice(s.start, s.end))}`).join(',')}}`;
  }
  if (code === OPEN_ARRAY) {
    return `[${sliceItems(text, at)
      .map((s) => canonicalJson(text.slice(s.start, s.end)))
      .join(',')}]`;
  }
  const token = text.slice(at).trimEnd();
  return code === QUOTE ? JSON.stringify(readString(token)) : token;
}

/**
 * Like `canonicalJson` for a value that `JSON.parse` has read, with numbers as parsed, and faster.
 * The caller must limit the depth.
 */
export function canonicalValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalValue).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = new Map(Object.entries(value));
  const sorted = [...members.keys()].sort();
  return `{${sorted.map((key) => `${JSON.stringify(key)}:${canonicalValue(members.get(key))}`).join(',')}}`;
}

/** Whether a whole text is a JSON object or array. */
export function isJsonContainer(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
