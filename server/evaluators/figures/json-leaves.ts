import type { PathNode } from './path';

/**
 * Walks JSON text, not a parsed value, so that a leaf's digits are the source's own. Iterative: 200,000 open
 * brackets cost memory, never stack; what lies deeper than 64 is skipped. NaN and Infinity, which Python writes,
 * are read and hold no figure.
 */
export interface JsonLeaf {
  readonly kind: 'number' | 'string' | 'key';
  /** The number's characters, or the decoded string or key. */
  readonly text: string;
  readonly node: PathNode;
}

export interface JsonLeaves {
  readonly leaves: readonly JsonLeaf[];
  /** Something lay deeper than the cap and was not read. */
  readonly cut: boolean;
}

const JSON_DEPTH_MAX = 64;

interface Frame {
  readonly node: PathNode;
  readonly array: boolean;
  index: number;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /-?[A-Za-z]{1,9}/y;
const WORDS = new Set(['true', 'false', 'null', 'NaN', 'Infinity', '-Infinity']);
const HAS_DIGIT = /\p{Nd}/u;
/** Up to the end of a string or its next escape. */
const PLAIN = /[^\\"]*/y;

/**
 * All leaves of a JSON text in order, keys that hold digits among them; null when the text is not JSON. Never throws.
 */
export function jsonLeaves(text: string): JsonLeaves | null {
  return new Walk(text).run();
}

class Walk {
  private at = 0;
  private cut = false;
  private readonly leaves: JsonLeaf[] = [];
  private readonly frames: Frame[] = [];
  /** Open brackets beyond the cap, as `[` or `{`; their content is checked but not kept. */
  private readonly skipped: boolean[] = [];

  constructor(private readonly text: string) {}

  run(): JsonLeaves | null {
    if (!this.value({ parent: null, step: null })) return null;
    while (this.frames.length > 0) {
      if (!this.next()) return null;
    }
    this.space();
    return this.at === this.text.length ? { leaves: this.leaves, cut: this.cut } : null;
  }

  /** Reads the next member of the innermost open value, or closes it. */
  private next(): boolean {
    const frame = this.frames.at(-1);
    if (frame === undefined) return false;
    this.space();
    const char = this.text[this.at];
    if (char === (frame.array ? ']' : '}')) {
      this.at++;
      this.frames.pop();
      return true;
    }
    if (frame.index > 0) {
      if (char !== ',') return false;
      this.at++;
    }
    if (frame.array) return this.value({ parent: frame.node, step: frame.index++ });
    frame.index++;
    this.space();
    const key = this.string();
    if (key === null) return false;
    const node = { parent: frame.node, step: key };
    if (HAS_DIGIT.test(key)) this.leaves.push({ kind: 'key', text: key, node });
    this.space();
    if (this.text[this.at++] !== ':') return false;
    return this.value(node);
  }

  private value(node: PathNode): boolean {
    this.space();
    const char = this.text[this.at];
    if (char === '{' || char === '[') {
      if (this.frames.length >= JSON_DEPTH_MAX) return this.skip();
      this.at++;
      this.frames.push({ node, array: char === '[', index: 0 });
      return true;
    }
    if (char === '"') {
      const text = this.string();
      if (text === null) return false;
      this.leaves.push({ kind: 'string', text, node });
      return true;
    }
    const number = this.stick(NUMBER);
    if (number !== null) this.leaves.push({ kind: 'number', text: number, node });
    else if (!WORDS.has(this.stick(WORD) ?? '')) return false;
    return true;
  }

  /** Passes over a value beyond the depth cap by matching its brackets. */
  private skip(): boolean {
    this.cut = true;
    do {
      const char = this.text[this.at];
      if (char === undefined) return false;
      if (char === '"') {
        if (this.string() === null) return false;
        continue;
      }
      if (char === '[' || char === '{') this.skipped.push(char === '[');
      else if ((char === ']' || char === '}') && this.skipped.pop() !== (char === ']')) return false;
      this.at++;
    } while (this.skipped.length > 0);
    return true;
  }

  private string(): string | null {
    if (this.text[this.at] !== '"') return null;
    const from = this.at + 1;
    let at = from;
    let escaped = false;
    for (;;) {
      PLAIN.lastIndex = at;
      at += PLAIN.exec(this.text)?.[0].length ?? 0;
      const char = this.text[at];
      if (char === undefined) return null;
      if (char === '"') break;
      escaped = true;
      at += 2;
    }
    this.at = at + 1;
    return escaped ? decode(this.text.slice(from - 1, at + 1)) : this.text.slice(from, at);
  }

  private space(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 32 && unit !== 10 && unit !== 13 && unit !== 9) return;
      this.at++;
    }
  }

  private stick(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null) return null;
    this.at += match[0].length;
    return match[0];
  }
}

/** A string literal's text. Raw control characters, which strict JSON refuses, are kept as they are. */
function decode(literal: string): string | null {
  try {
    const value: unknown = JSON.parse(literal.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t'));
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
