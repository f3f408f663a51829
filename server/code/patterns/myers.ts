/**
 * Approximate search by bit-vectors: a column of the edit-distance matrix is stored as two words of
 * differences for every 32 characters of the pattern, so that a character of the text costs a dozen
 * operations per word (G. Myers 1999, in the form of H. Hyyrö 2003). For long patterns only the
 * words are computed that can still lead to few enough edits (E. Ukkonen's cut-off).
 */

/** The part of a text nearest to a pattern. */
export interface Nearest {
  /** Edits: characters inserted, omitted or replaced. */
  readonly distance: number;
  /** UTF-16 position after its last character. */
  readonly end: number;
}

const WORD = 32;
const ASCII = 128;

/**
 * A compiled pattern. It contains the state of a search, so only one search may use it at a time.
 */
export class MyersPattern {
  private readonly words: number;
  /** For an ASCII character and a word: the positions of the character in the pattern. */
  private readonly ascii: Int32Array;
  private readonly wideMasks: ReadonlyMap<number, Int32Array>;
  private readonly none: Int32Array;
  private readonly plus: Int32Array;
  private readonly minus: Int32Array;
  private readonly scores: Int32Array;

  /** @throws RangeError on an empty pattern */
  constructor(private readonly pattern: string) {
    if (pattern === '') throw new RangeError('an empty pattern is near everything');
    this.words = Math.ceil(pattern.length / WORD);
    this.ascii = new Int32Array(ASCII * this.words);
    this.none = new Int32Array(this.words);
    this.plus = new Int32Array(this.words);
    this.minus = new Int32Array(this.words);
    this.scores = new Int32Array(this.words);
    const wideMasks = new Map<number, Int32Array>();
    for (let i = 0; i < pattern.length; i++) {
      const code = pattern.charCodeAt(i);
      const word = i >>> 5;
      const bit = 1 << (i & 31);
      if (code < ASCII) {
        this.ascii[code * this.words + word] = (this.ascii[code * this.words + word] ?? 0) | bit;
        continue;
      }
      const places = wideMasks.get(code) ?? new Int32Array(this.words);
      places[word] = (places[word] ?? 0) | bit;
      wideMasks.set(code, places);
    }
    this.wideMasks = wideMasks;
  }

  /**
   * The best match of the pattern between two positions of the text, the first one if several are
   * equal; null if it takes more than `most` edits.
   */
  search(text: string, from: number, to: number, max: number): Nearest | null {
    return this.words === 1
      ? this.searchShort(text, from, to, max)
      : this.searchLong(text, from, to, max);
  }

  private searchShort(text: string, from: number, to: number, max: number): Nearest | null {
    const { ascii } = this;
    const last = 1 << (this.pattern.length - 1);
    let plus = -1;
    let minus = 0;
    let score = this.pattern.length;
    let min = max + 1;
    let end = -1;
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      const equal = code < ASCII ? (ascii[code] as number) : (this.wideMasks.get(code)?.[0] ?? 0);
      const across = (((equal & plus) + plus) ^ plus) | equal;
      const down = equal | minus;
      let up = minus | ~(across | plus);
      let off = plus & across;
      if ((up & last) !== 0) score++;
      else if ((off & last) !== 0) score--;
      up <<= 1;
      off <<= 1;
      plus = off | ~(down | up);
      minus = up & down;
      if (score < min) {
        min = score;
        end = i + 1;
        if (score === 0) break;
      }
    }
    return end < 0 ? null : { distance: min, end };
  }

  private searchLong(text: string, from: number, to: number, max: number): Nearest | null {
    const { words, ascii, plus, minus, scores } = this;
    const final = words - 1;
    const finalHeight = this.pattern.length - final * WORD;
    const finalBit = 1 << (finalHeight - 1);
    let min = max + 1;
    let end = -1;
    let active = Math.min(final, Math.max(0, Math.ceil(max / WORD) - 1));
    for (let word = 0; word <= active; word++) {
      plus[word] = -1;
      minus[word] = 0;
      scores[word] = word === final ? this.pattern.length : (word + 1) * WORD;
    }
    for (let i = from; i < to; i++) {
      const code = text.charCodeAt(i);
      const places = code < ASCII ? ascii : (this.wideMasks.get(code) ?? this.none);
      const base = code < ASCII ? code * words : 0;
      let carry = 0;
      let word = 0;
      let reach = active;
      // Processes one word beyond the active ones if it can have few enough edits.
      while (word <= reach) {
        let equal = places[base + word] as number;
        const wasPlus = plus[word] as number;
        const wasMinus = minus[word] as number;
        const down = equal | wasMinus;
        if (carry < 0) equal |= 1;
        const across = (((equal & wasPlus) + wasPlus) ^ wasPlus) | equal;
        let up = wasMinus | ~(across | wasPlus);
        let off = wasPlus & across;
        const high = word === final ? finalBit : -2_147_483_648;
        const out = (up & high) !== 0 ? 1 : (off & high) !== 0 ? -1 : 0;
        up <<= 1;
        off <<= 1;
        if (carry < 0) off |= 1;
        else if (carry > 0) up |= 1;
        plus[word] = off | ~(down | up);
        minus[word] = up & down;
        scores[word] = (scores[word] as number) + out;
        carry = out;
        if (word === active && word < final && reach === active) {
          const before = (scores[word] as number) - carry;
          if (before < min && (((places[base + word + 1] as number) & 1) !== 0 || carry < 0)) {
            reach = active + 1;
            plus[reach] = -1;
            minus[reach] = 0;
            scores[reach] = before + (reach === final ? finalHeight : WORD);
          }
        }
        word++;
      }
      if (reach > active) active = reach;
      else
        while (
          active > 0 &&
          (scores[active] as number) >= min - 1 + (active === final ? finalHeight : WORD)
        )
          active--;
      if (active === final && (scores[final] as number) < min) {
        min = scores[final] as number;
        end = i + 1;
        if (min === 0) break;
      }
    }
    return end < 0 ? null : { distance: min, end };
  }
}
