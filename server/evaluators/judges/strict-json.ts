/**
 * JSON objects inside a text, strictly by RFC 8259, each character read once: a broken object is
 * abandoned at the break, and the search continues there. Duplicate keys in one object are
 * reported, which JSON.parse ignores (S-24).
 */
export interface JsonObjectRange {
  /** UTF-16 indices. */
  readonly start: number;
  readonly end: number;
  readonly repeatedKey: boolean;
}

const DEPTH_MAX = 32;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[ !#-[\]-\u{10FFFF}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const SPACE = /[ \t\n\r]*/y;

export function findObjects(text: string): readonly JsonObjectRange[] {
  const found: JsonObjectRange[] = [];
  for (let at = text.indexOf('{'); at !== -1; ) {
    const reader = new Reader(text, at);
    const value = reader.value(0);
    if (value) found.push({ start: at, end: reader.at, repeatedKey: reader.repeatedKey });
    // A broken object may break at the brace of a complete one.
    at = text.indexOf('{', value ? reader.at : Math.max(reader.at, at + 1));
  }
  return found;
}

class Reader {
  at: number;
  repeatedKey = false;

  constructor(
    private readonly text: string,
    start: number,
  ) {
    this.at = start;
  }

  value(depth: number): boolean {
    if (depth > DEPTH_MAX) return false;
    const sign = this.text.charAt(this.at);
    if (sign === '{') return this.object(depth);
    if (sign === '[') return this.list(depth);
    if (sign === '"') return this.take(STRING) !== null;
    for (const word of ['true', 'false', 'null']) {
      if (!this.text.startsWith(word, this.at)) continue;
      this.at += word.length;
      return true;
    }
    return this.take(NUMBER) !== null;
  }

  private object(depth: number): boolean {
    const keys = new Set<string>();
    this.at++;
    this.take(SPACE);
    if (this.sign('}')) return true;
    for (;;) {
      const key = this.take(STRING);
      if (key === null) return false;
      const name = String(JSON.parse(key));
      if (keys.has(name)) this.repeatedKey = true;
      keys.add(name);
      this.take(SPACE);
      if (!this.sign(':')) return false;
      this.take(SPACE);
      if (!this.value(depth + 1)) return false;
      this.take(SPACE);
      if (this.sign('}')) return true;
      if (!this.sign(',')) return false;
      this.take(SPACE);
    }
  }

  private list(depth: number): boolean {
    this.at++;
    this.take(SPACE);
    if (this.sign(']')) return true;
    for (;;) {
      if (!this.value(depth + 1)) return false;
      this.take(SPACE);
      if (this.sign(']')) return true;
      if (!this.sign(',')) return false;
      this.take(SPACE);
    }
  }

  private sign(sign: string): boolean {
    if (this.text.charAt(this.at) !== sign) return false;
    this.at++;
    return true;
  }

  /** The match of the pattern here; it may be empty. */
  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at += match[0].length;
    return match[0];
  }
}
