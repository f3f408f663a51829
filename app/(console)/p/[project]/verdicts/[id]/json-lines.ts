/**
 * Breaks a JSON *text* into lines without parsing its values: digits, escapes and repeated keys
 * stay as sent. Every scalar has its path as figures write it (`rows[0].disk_pct`). The text must
 * be valid for JSON.parse.
 */
export interface JsonPiece {
  readonly text: string;
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'mark';
  /** For scalars the path of the value, for keys that of their value; null for punctuation. */
  readonly path: string | null;
}

export interface JsonLine {
  readonly indent: number;
  readonly pieces: readonly JsonPiece[];
}

const BARE = /[^\s[\]{},:"]+/y;
/** A list of scalars no longer than this stays on one line. */
const SHORT = 72;

function joinKey(path: string, key: string): string {
  if (/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return path === '' ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

function mark(text: string): JsonPiece {
  return { text, kind: 'mark', path: null };
}

function scalar(token: string, path: string): JsonPiece {
  const kind = token.startsWith('"') ? 'string' : /^[-\d]/.test(token) ? 'number' : 'word';
  return { text: token, kind, path };
}

interface Open {
  readonly kind: 'object' | 'array';
  readonly path: string;
  index: number;
}

const UNWRAPS_MAX = 3;

/**
 * A tool result that is one string of JSON text is meant as JSON, and its figures' paths refer to
 * its content.
 */
export function unwrapJson(text: string): string {
  let inner = text.trim();
  for (let unwraps = 0; unwraps < UNWRAPS_MAX && inner.startsWith('"'); unwraps++) {
    const next = readKey(inner).trim();
    if (!/^["[{]/.test(next) || next === inner || !isJson(next)) break;
    inner = next;
  }
  return inner;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A single pattern for all would need the engine's stack for each character of a string. */
function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? '';
    let end = at + 1;
    if (char === '"') end = stringEnd(text, at);
    else if (!'[]{},:'.includes(char)) {
      BARE.lastIndex = at;
      end = BARE.test(text) ? BARE.lastIndex : -1;
    }
    if (end > 0) tokens.push(text.slice(at, end));
    at = Math.max(end, at + 1);
  }
  return tokens;
}

/** The index after the closing quote of the string at `from`; the end of a text without one. */
function stringEnd(text: string, from: number): number {
  for (let quote = text.indexOf('"', from + 1); quote !== -1; ) {
    let before = quote - 1;
    while (text[before] === '\\') before--;
    if ((quote - before) % 2 === 1) return quote + 1;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}

export function jsonLines(text: string): JsonLine[] {
  const tokens = tokensOf(text);
  const lines: JsonLine[] = [];
  const open: Open[] = [];
  let pieces: JsonPiece[] = [];
  let indent = 0;
  let path = '';
  const flush = () => {
    if (pieces.length > 0) lines.push({ indent, pieces });
    pieces = [];
    indent = open.length;
  };
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    const parent = open.at(-1);
    if (token === '}' || token === ']') {
      flush();
      open.pop();
      indent = open.length;
      pieces.push(mark(token));
    } else if (token === ',') {
      pieces.push(mark(','));
      flush();
      if (parent?.kind === 'array') parent.index++;
    } else if (parent?.kind === 'object' && tokens[at + 1] === ':') {
      path = joinKey(parent.path, readKey(token));
      pieces.push({ text: token, kind: 'key', path }, mark(': '));
      at++;
    } else {
      const here = parent?.kind === 'array' ? `${parent.path}[${parent.index}]` : path;
      const short = token === '{' || token === '[' ? shortEnd(tokens, at) : null;
      if (short !== null) {
        pieces.push(...onOneLine(tokens.slice(at, short + 1), here));
        at = short;
      } else if (token === '{' || token === '[') {
        pieces.push(mark(token));
        open.push({ kind: token === '{' ? 'object' : 'array', path: here, index: 0 });
        flush();
      } else {
        // A single scalar is the whole source, which figures call `$`.
        pieces.push(scalar(token, here === '' ? '$' : here));
      }
    }
  }
  flush();
  return lines;
}

function readKey(token: string): string {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : token;
  } catch {
    return token;
  }
}

/**
 * Index of the closing token if the value at `from` is empty or a short list of scalars, else null.
 */
function shortEnd(tokens: readonly string[], from: number): number | null {
  const close = tokens[from] === '{' ? '}' : ']';
  if (tokens[from + 1] === close) return from + 1;
  if (close === '}') return null;
  let length = 0;
  for (let at = from + 1; at < tokens.length; at++) {
    const token = tokens[at] ?? '';
    if (token === ']') return at;
    length += token.length + 1;
    if (token === '[' || token === '{' || length > SHORT) return null;
  }
  return null;
}

function onOneLine(tokens: readonly string[], path: string): JsonPiece[] {
  let index = 0;
  return tokens.map((token) => {
    if (token === ',') return mark(', ');
    if (/^[[\]{}]$/.test(token)) return mark(token);
    return scalar(token, `${path}[${index++}]`);
  });
}
