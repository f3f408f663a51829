/**
 * Parts of a JSON text in their original form, so that digits are sent unchanged: 9007199254740993,
 * 0.10 and 1e400 do not survive JSON.parse. Expects text that JSON.parse has accepted: it finds
 * boundaries, but validates nothing.
 */

export interface Slice {
  /** Offset of its first character in the whole text, UTF-16 units. */
  readonly at: number;
  readonly text: string;
}

export interface MemberSlice extends Slice {
  readonly key: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
const isOpening = (code: number): boolean => code === 0x7b || code === 0x5b;
const isClosing = (code: number): boolean => code === 0x7d || code === 0x5d;

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** The position just after the string that starts at `from`. */
function skipString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) return at + 1;
  }
  return text.length;
}

/**
 * The position just after the value that starts at `from`. Counts brackets instead of recursing,
 * since the sender chooses the depth.
 */
function skipValue(text: string, from: number): number {
  let open = 0;
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (open === 0 && at > from && (code === COMMA || isSpace(code) || isClosing(code))) return at;
    if (code === QUOTE) at = skipString(text, at);
    else {
      if (isOpening(code)) open++;
      else if (isClosing(code)) open--;
      at++;
    }
    if (open === 0 && (code === QUOTE || isClosing(code))) return at;
  }
  return text.length;
}

/** The items of an array. */
export function sliceArray(slice: Slice): Slice[] {
  const { text, at: base } = slice;
  const items: Slice[] = [];
  let at = skipSpace(text, 1);
  while (at < text.length && text.charAt(at) !== ']') {
    const end = skipValue(text, at);
    items.push({ at: base + at, text: text.slice(at, end) });
    at = skipSpace(text, end);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return items;
}

/** The members of an object, in order; a duplicate key is returned twice. */
export function sliceObject(slice: Slice): MemberSlice[] {
  const { text, at: base } = slice;
  const members: MemberSlice[] = [];
  let at = skipSpace(text, 1);
  while (text.charAt(at) === '"') {
    const keyEnd = skipString(text, at);
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = skipValue(text, start);
    members.push({
      key: JSON.parse(text.slice(at, keyEnd)) as string,
      at: base + start,
      text: text.slice(start, end),
    });
    at = skipSpace(text, end);
    if (text.charAt(at) === ',') at = skipSpace(text, at + 1);
  }
  return members;
}

/** The object with these members replaced and the others unchanged. Values are JSON text. */
export function setMembers(slice: Slice, values: ReadonlyMap<string, string>): string {
  const unchanged = sliceObject(slice).filter(({ key }) => !values.has(key));
  const written = [...[...values].map(([key, text]) => ({ key, text })), ...unchanged].map(
    ({ key, text }) => `${JSON.stringify(key)}:${text}`,
  );
  return `{${written.join(',')}}`;
}
