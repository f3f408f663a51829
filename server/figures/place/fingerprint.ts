/**
 * Names by fingerprint: lower case, words separated, joints within a name (`web-1`) kept. A name is
 * represented by 53 bits, so that the rows of a source do not each need a string. A fingerprint
 * combines those of its words.
 */
const NAMES = /[\p{L}\p{N}]+(?:[-_.:/][\p{L}\p{N}]+)*/gu;
const FIRST = 0x01_00_01_93;
const SECOND = 0x85_eb_ca_6b | 0;
const SEED = 0x81_1c_9d_c5 | 0;
const HIGH = 2 ** 21;
const SPREAD = 0x9e_37_79_b1;
const OTHER_LETTER = /(?![\0-\x7f])[\p{L}\p{N}]/u;
/** The bits of `seen`. If letters beyond ASCII are read, all but the digit are set. */
export const [DIGIT_SEEN, CAPITAL_SEEN, JOINT_SEEN] = [1, 2, 4] as const;
/** ASCII letters in lower case and digits; 0 for all others. */
const folded = new Uint8Array(128);
const marks = new Uint8Array(128);
for (let unit = 48; unit < 58; unit++) [folded[unit], marks[unit]] = [unit, DIGIT_SEEN];
for (let unit = 97; unit < 123; unit++) folded[unit] = unit;
for (let unit = 65; unit < 91; unit++) [folded[unit], marks[unit]] = [unit | 32, CAPITAL_SEEN];
for (const joint of '-_') marks[joint.charCodeAt(0)] = JOINT_SEEN;
/** Sentences and most labels fit in; a result never refers to it. */
const scratch = new Uint16Array(1_024);

/** The words of a text, each as two numbers of 32 bits. */
export class WordPrints {
  count = 0;
  readonly first: number[] = [];
  readonly second: number[] = [];
  /** The range of each word in the text. */
  readonly from: number[] = [];
  readonly to: number[] = [];

  /** The kinds of characters in the words, as bits. */
  seen = 0;

  /** Reads at most `most` words of ASCII letters. @returns false if there are more */
  readUnits(units: Uint16Array, from: number, to: number, max: number): boolean {
    this.count = 0;
    this.seen = 0;
    let seen = 0;
    for (let at = from; at < to; ) {
      let unit = folded[units[at] ?? 0] ?? 0;
      if (unit === 0) {
        at++;
        continue;
      }
      if (this.count >= max) return false;
      let first = SEED;
      let second = 0;
      const begin = at;
      do {
        first = Math.imul(first ^ unit, FIRST);
        second = Math.imul(second + unit + 1, SECOND) ^ (first >>> 15);
        seen |= marks[units[at] ?? 0] ?? 0;
        if (++at >= to) break;
        const next = units[at] ?? 0;
        unit = folded[next] ?? 0;
        if (unit === 0 && at + 1 < to && isJoint(next) && (folded[units[at + 1] ?? 0] ?? 0) !== 0)
          unit = next;
      } while (unit !== 0);
      this.add(first, second, begin - from, at - from);
    }
    this.seen = seen;
    return true;
  }

  /** The same for any text. */
  readText(text: string, max: number): boolean {
    const units = text.length > scratch.length ? new Uint16Array(text.length) : scratch;
    let isWide = false;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      units[at] = unit;
      if (unit > 127) isWide = true;
    }
    return isWide && OTHER_LETTER.test(text)
      ? this.readWide(text, max)
      : this.readUnits(units, 0, text.length, max);
  }

  private readWide(text: string, max: number): boolean {
    this.count = 0;
    this.seen = CAPITAL_SEEN | JOINT_SEEN;
    for (const { 0: word, index } of text.toLowerCase().matchAll(NAMES)) {
      if (this.count >= max) return false;
      let first = SEED;
      let second = 0;
      for (let at = 0; at < word.length; at++) {
        first = Math.imul(first ^ word.charCodeAt(at), FIRST);
        second = Math.imul(second + word.charCodeAt(at) + 1, SECOND) ^ (first >>> 15);
      }
      this.add(first, second, index, index + word.length);
    }
    return true;
  }

  /** The fingerprint of `count` words from the one at `from`; 0 belongs to none. */
  print(from: number, count: number): number {
    let first = SEED;
    let second = count;
    for (let at = from; at < from + count; at++) {
      first = Math.imul(first ^ (this.first[at] ?? 0), FIRST);
      second = Math.imul(second + (this.second[at] ?? 0), SECOND) ^ (first >>> 13);
    }
    return (first >>> 0) * HIGH + ((second >>> 9) & (HIGH - 1)) + 1;
  }

  private add(first: number, second: number, from: number, to: number): void {
    this.first[this.count] = first;
    this.from[this.count] = from;
    this.to[this.count] = to;
    this.second[this.count++] = second;
  }
}

/** Numbers by fingerprint, and the first words of names. */
export class PrintMap {
  private prints: Float64Array;
  private values: Int32Array;
  private count = 0;
  private readonly openings = new Uint8Array(OPENINGS);

  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 2)));
    this.prints = new Float64Array(size);
    this.values = new Int32Array(size);
  }

  /** The number under a fingerprint, or null. */
  get(print: number): number | null {
    const slot = this.slotOf(print);
    return this.prints[slot] === print ? (this.values[slot] ?? 0) : null;
  }

  /** @param opening the first of the two numbers of a name's first word */
  set(print: number, value: number, opening: number): void {
    const slot = this.slotOf(print);
    if (this.prints[slot] !== print) {
      this.openings[opening & (OPENINGS - 1)] = 1;
      if (2 * ++this.count > this.prints.length) {
        this.widen();
        this.set(print, value, opening);
        return;
      }
      this.prints[slot] = print;
    }
    this.values[slot] = value;
  }

  /** False if no name begins with the word. */
  mayBegin(opening: number): boolean {
    return this.openings[opening & (OPENINGS - 1)] === 1;
  }

  private widen(): void {
    const { prints, values } = this;
    this.prints = new Float64Array(prints.length * 2);
    this.values = new Int32Array(prints.length * 2);
    for (let slot = 0; slot < prints.length; slot++) {
      const print = prints[slot] ?? 0;
      if (print === 0) continue;
      const next = this.slotOf(print);
      this.prints[next] = print;
      this.values[next] = values[slot] ?? 0;
    }
  }

  private slotOf(print: number): number {
    const mask = this.prints.length - 1;
    let slot = (Math.imul((print / HIGH) | 0, SPREAD) >>> 8) & mask;
    while (this.prints[slot] !== 0 && this.prints[slot] !== print) slot = (slot + 1) & mask;
    return slot;
  }
}

const OPENINGS = 4_096;

/** A sign within a name. */
function isJoint(unit: number): boolean {
  // - . / : _
  return unit === 45 || unit === 46 || unit === 47 || unit === 58 || unit === 95;
}
