/**
 * Names by fingerprint: lower case, words separated, joints within a name (`web-1`) kept. A name is
 * represented by 53 bits, so that the rows of a source do not each need a string. A fingerprint
 * combines those of its words.
 */
const JOINTS = new Set(Array.from('-_.:/', (sign) => sign.charCodeAt(0)));
const NAMES = /[\p{L}\p{N}]+(?:[-_.:/][\p{L}\p{N}]+)*/gu;
const [FIRST, SECOND, SEED] = [0x01_00_01_93, 0x85_eb_ca_6b, 0x81_1c_9d_c5];
const HIGH = 2 ** 21;
const SPREAD = 0x9e_37_79_b1;

/** The words of a text, each as two numbers of 32 bits. */
export class WordPrints {
  count = 0;
  readonly first: number[] = [];
  readonly second: number[] = [];
  /** The range of each word in the text. */
  readonly from: number[] = [];
  readonly to: number[] = [];

  /** Reads at most `most` words of ASCII units. @returns false if there are more */
  readUnits(units: Uint16Array, from: number, to: number, most: number): boolean {
    this.count = 0;
    for (let at = from; at < to; ) {
      if (!isNamePart(lower(units[at] ?? 0))) {
        at++;
        continue;
      }
      if (this.count >= most) return false;
      let [first, second] = [SEED, 0];
      const begin = at;
      for (; at < to; at++) {
        const unit = lower(units[at] ?? 0);
        if (
          !isNamePart(unit) &&
          !(at + 1 < to && JOINTS.has(unit) && isNamePart(lower(units[at + 1] ?? 0)))
        )
          break;
        first = Math.imul(first ^ unit, FIRST);
        second = Math.imul(second + unit + 1, SECOND) ^ (first >>> 15);
      }
      this.add(first, second, begin - from, at - from);
    }
    return true;
  }

  /** The same for any text. */
  readText(text: string, most: number): boolean {
    this.count = 0;
    for (const { 0: word, index } of text.toLowerCase().matchAll(NAMES)) {
      if (this.count >= most) return false;
      let [first, second] = [SEED, 0];
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
    let [first, second] = [SEED, count];
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
  private held: Int32Array;
  private count = 0;
  private readonly openings = new Uint8Array(OPENINGS);

  constructor(expected: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(16, expected * 2)));
    this.prints = new Float64Array(size);
    this.held = new Int32Array(size);
  }

  /** The number under a fingerprint, or null. */
  get(print: number): number | null {
    const slot = this.slotOf(print);
    return this.prints[slot] === print ? (this.held[slot] ?? 0) : null;
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
    this.held[slot] = value;
  }

  /** False if no name begins with the word. */
  mayBegin(opening: number): boolean {
    return this.openings[opening & (OPENINGS - 1)] === 1;
  }

  private widen(): void {
    const { prints, held } = this;
    this.prints = new Float64Array(prints.length * 2);
    this.held = new Int32Array(prints.length * 2);
    for (let slot = 0; slot < prints.length; slot++) {
      const print = prints[slot] ?? 0;
      if (print === 0) continue;
      const next = this.slotOf(print);
      this.prints[next] = print;
      this.held[next] = held[slot] ?? 0;
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

function lower(unit: number): number {
  return unit >= 65 && unit <= 90 ? unit | 32 : unit;
}

/** A small letter or a digit of ASCII. */
function isNamePart(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
}
