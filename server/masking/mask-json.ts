import { isUtf8 } from 'node:buffer';
import type { Masker } from './masker';
import { followPaths, type PathStates } from './paths';

/**
 * Masks JSON (RFC 8259) in place: only string literals with a value to mask, and values at a path,
 * are written again; every other byte stays, so that numbers keep their digits.
 */
export interface JsonMasking {
  readonly masker: Masker;
  /** The states of the paths at the root. */
  readonly states: PathStates;
  /**
   * Describes a child of an object or array; by default it is a member with its own name.
   */
  readonly childOf?: ChildOf;
  /** Whether a text is an identifier or a number of the format, and not masked. */
  readonly isKept?: (member: string, text: string) => boolean;
  /** The name of members whose texts are bytes in Base64. */
  readonly bytesMember?: string;
  /** Replaces numbers that read as personal data, too: for JSON inside of a text. */
  readonly numbers?: boolean;
  /** The value in place of one at a path, where it is not a string with the token. */
  readonly wholeOf?: (value: unknown) => unknown;
  /** How many texts of JSON contain this one. */
  readonly nesting?: number;
}

/** An open object or array. */
export interface JsonFrame {
  readonly isObject: boolean;
  readonly states: PathStates;
  /** Name of the member that holds it, for rules that depend on a name. */
  readonly label: string;
  /** Set by `childOf`. */
  readonly role: string;
  /** The text of its member `key`, if that was read already. */
  key: string | null;
  /** The offset of its first byte, and how many objects and arrays contain it. */
  readonly depth: number;
  readonly start: number;
  /** The name of the current member, or the position of the current item. */
  step: string | number;
  isKeyNext: boolean;
}

export interface JsonChild {
  /** Null if the whole value is masked. */
  readonly states: PathStates | null;
  readonly label: string;
  readonly role: string;
}

export type ChildOf = (frame: JsonFrame, bytes: Buffer) => JsonChild;

const NESTING_MAX = 4;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The same bytes if nothing is to be masked. A body that is not JSON is masked as one text. */
export function maskJson(bytes: Buffer, masking: JsonMasking): Buffer {
  if (isJson(bytes.toString('utf8'))) return new JsonScan(bytes, masking).run();
  const text = bytes.toString('utf8');
  const masked = masking.masker.text(text);
  return masked === text ? bytes : Buffer.from(masked);
}

/** Masks a text, which may itself be JSON. */
export function maskString(
  text: string,
  { masker, states, nesting = 0 }: Pick<JsonMasking, 'masker' | 'states' | 'nesting'>,
  label: string,
): string {
  if (nesting >= NESTING_MAX || !/^\s*[[{]/.test(text) || !isJson(text))
    return masker.text(text, label);
  const bytes = Buffer.from(text);
  const masking = { masker, states, numbers: true, nesting: nesting + 1 };
  const masked = new JsonScan(bytes, masking, label).run();
  return masked === bytes ? text : masked.toString('utf8');
}

/** Masks bytes if they are a text in UTF-8; the same bytes if nothing is to be masked. */
export function maskTextBytes(
  bytes: Buffer,
  masking: Pick<JsonMasking, 'masker' | 'states' | 'nesting'>,
  label: string,
): Buffer {
  if (!isUtf8(bytes)) return bytes;
  const text = bytes.toString('utf8');
  const masked = maskString(text, masking, label);
  return masked === text ? bytes : Buffer.from(masked);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The token for a value: for a string that of its text, otherwise of its JSON text. */
export function maskedValue(masker: Masker, value: unknown): string {
  if (typeof value === 'string') return masker.valueToken(value);
  try {
    return masker.valueToken(JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Nested some thousand levels: all such values share a token.
    return masker.valueToken('{');
  }
}

const ownName: ChildOf = ({ states, step, label }) => ({
  states: followPaths(states, step),
  label: typeof step === 'string' ? step : label,
  role: '',
});

/** Reads valid JSON once, without recursion. */
class JsonScan {
  private readonly frames: JsonFrame[] = [];
  private readonly pieces: Buffer[] = [];
  private written = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly masking: JsonMasking,
    private readonly label = '',
  ) {}

  run(): Buffer {
    const { bytes } = this;
    for (let at = 0; at < bytes.length; ) at = this.read(at);
    if (this.written === 0) return bytes;
    return Buffer.concat([...this.pieces, bytes.subarray(this.written)]);
  }

  /** Reads from a place outside of a string to the next one. */
  private read(at: number): number {
    const { bytes } = this;
    const frame = this.frames.at(-1);
    switch (bytes[at]) {
      case 0x2c: // comma
        if (frame !== undefined && typeof frame.step === 'number') frame.step++;
        else if (frame !== undefined) frame.isKeyNext = true;
        return at + 1;
      case 0x7d: // }
      case 0x5d: // ]
        this.frames.pop();
        return at + 1;
      case 0x09:
      case 0x0a:
      case 0x0d:
      case 0x20:
      case 0x3a: // colon
        return at + 1;
      case QUOTE:
        if (frame?.isKeyNext === true) return this.readKey(frame, at);
        return this.readValue(frame, at);
      default:
        return this.readValue(frame, at);
    }
  }

  private readKey(frame: JsonFrame, at: number): number {
    const end = stringEnd(this.bytes, at);
    const key = this.decode(at, end);
    frame.step = key;
    frame.isKeyNext = false;
    const masked = this.masking.masker.text(key);
    if (masked !== key) this.replace(at, end, masked);
    return end;
  }

  private readValue(frame: JsonFrame | undefined, at: number): number {
    const { bytes, masking } = this;
    const { childOf = ownName } = masking;
    const child =
      frame === undefined
        ? { states: masking.states, label: this.label, role: '' }
        : childOf(frame, bytes);
    if (child.states === null) return this.maskWhole(at);
    const first = bytes[at];
    if (first === 0x7b || first === 0x5b) {
      const isObject = first === 0x7b;
      const { states, label, role } = child;
      this.frames.push({
        isObject,
        states,
        label,
        role,
        depth: this.frames.length,
        start: at,
        key: null,
        step: isObject ? '' : 0,
        isKeyNext: isObject,
      });
      return at + 1;
    }
    const end = valueEnd(bytes, at);
    if (first === QUOTE) this.readText(frame, { ...child, states: child.states }, at, end);
    else if (masking.numbers === true) this.maskNumber(at, end, child.label);
    return end;
  }

  private readText(
    frame: JsonFrame | undefined,
    { label, states }: { readonly label: string; readonly states: PathStates },
    at: number,
    end: number,
  ): void {
    const { masker, nesting = 0, isKept, bytesMember } = this.masking;
    const text = this.decode(at, end);
    const name = String(frame?.step ?? '');
    if (frame !== undefined && name === 'key') frame.key = text;
    if (isKept?.(name, text) === true) return;
    if (name === bytesMember) {
      const bytes = Buffer.from(text, 'base64');
      const masked = maskTextBytes(bytes, { masker, states, nesting }, label);
      if (masked !== bytes) this.replace(at, end, masked.toString('base64'));
      return;
    }
    const masked = maskString(text, { masker, states, nesting }, label);
    if (masked !== text) this.replace(at, end, masked);
  }

  private maskNumber(at: number, end: number, label: string): void {
    const text = this.bytes.toString('latin1', at, end);
    const masked = this.masking.masker.text(text, label);
    if (masked !== text) this.replace(at, end, masked);
  }

  /** Null stays, since it is not a value. */
  private maskWhole(at: number): number {
    const end = valueEnd(this.bytes, at);
    const value: unknown = JSON.parse(this.bytes.toString('utf8', at, end));
    if (value === null) return end;
    const { masker, wholeOf = (each) => maskedValue(masker, each) } = this.masking;
    const masked = wholeOf(value);
    if (masked !== value) this.replace(at, end, masked);
    return end;
  }

  private decode(at: number, end: number): string {
    const raw = this.bytes.toString('utf8', at, end);
    const isPlain = !raw.includes('\\');
    return isPlain ? raw.slice(1, -1) : String(JSON.parse(raw));
  }

  private replace(at: number, end: number, value: unknown): void {
    this.pieces.push(this.bytes.subarray(this.written, at), Buffer.from(JSON.stringify(value)));
    this.written = end;
  }
}

/** The offset after a string literal. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at + 1;
  }
  return bytes.length;
}

/** The offset after a value of valid JSON. */
export function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first !== 0x7b && first !== 0x5b) {
    let at = start;
    while (at < bytes.length && !isDelimiter(bytes[at])) at++;
    return at;
  }
  let depth = 0;
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === 0x7b || byte === 0x5b) depth++;
    if (byte === 0x7d || byte === 0x5d) depth--;
    at = byte === QUOTE ? stringEnd(bytes, at) : at + 1;
    if (depth === 0) return at;
  }
  return bytes.length;
}

const isDelimiter = (byte: number | undefined): boolean =>
  byte === undefined || byte <= 0x20 || byte === 0x2c || byte === 0x7d || byte === 0x5d;
