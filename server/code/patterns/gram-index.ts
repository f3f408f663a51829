/** Characters of a gram: short enough that some survive 15% edits, long enough to be rare. */
const GRAM = 4;
/** Above this share of the text, checking the candidates one by one costs more than one scan. */
const HITS_SHARE = 1 / 8;
const WINDOWS_SHARE = 1 / 2;

/** A part of the text, end exclusive. */
export interface GramWindow {
  readonly from: number;
  readonly to: number;
}

/** All grams of a text by their hash, with their positions: built once for many patterns. */
export class GramIndex {
  private readonly shift: number;
  private readonly starts: Int32Array;
  private readonly places: Int32Array;

  constructor(private readonly text: string) {
    const grams = Math.max(0, text.length - GRAM + 1);
    const bits = Math.min(16, Math.max(8, Math.ceil(Math.log2(grams + 1))));
    this.shift = 32 - bits;
    const starts = new Int32Array((1 << bits) + 1);
    const hashes = new Uint16Array(grams);
    let gram = 0;
    for (let i = 0; i < text.length; i++) {
      gram = rolled(gram, text.charCodeAt(i));
      if (i < GRAM - 1) continue;
      const hash = this.hashOf(gram);
      hashes[i - GRAM + 1] = hash;
      starts[hash + 1] = (starts[hash + 1] as number) + 1;
    }
    for (let hash = 1; hash < starts.length; hash++)
      starts[hash] = (starts[hash] as number) + (starts[hash - 1] as number);
    const next = starts.slice();
    this.places = new Int32Array(grams);
    for (let i = 0; i < grams; i++) {
      const hash = hashes[i] as number;
      const place = next[hash] as number;
      this.places[place] = i;
      next[hash] = place + 1;
    }
    this.starts = starts;
  }

  /**
   * Ordered, disjoint parts of the text that contain every position where the pattern matches
   * within `most` edits. Null if finding them would cost more than scanning the whole text.
   *
   * Cut into pieces of one gram each, the pattern loses at most one piece per edit: all others
   * occur in the text unchanged, shifted against each other by no more than `most` characters. So
   * the pieces found are counted by their shift.
   */
  windows(pattern: string, max: number): readonly GramWindow[] | null {
    const pieces = Math.floor(pattern.length / GRAM);
    const needed = pieces - max;
    if (needed < 1) return null;
    const hashes = piecesOf(pattern, pieces).map((gram) => this.hashOf(gram));
    const hits = hashes.reduce(
      (sum, hash) => sum + (this.starts[hash + 1] as number) - (this.starts[hash] as number),
      0,
    );
    if (hits > this.text.length * HITS_SHARE) return null;
    const reached = this.shiftsOf(pattern.length, hashes, needed, binBits(max));
    return this.joined(reached, pattern.length, max);
  }

  /** Bins of shifts that, with the next one, contain enough pieces. */
  private shiftsOf(
    length: number,
    hashes: readonly number[],
    needed: number,
    bits: number,
  ): readonly number[] {
    const counts = new Uint16Array(((this.text.length + length) >> bits) + 3);
    const reached: number[] = [];
    for (const [piece, hash] of hashes.entries()) {
      const until = this.starts[hash + 1] as number;
      for (let i = this.starts[hash] as number; i < until; i++) {
        const bin = (((this.places[i] as number) - piece * GRAM + length) >> bits) + 1;
        const count = (counts[bin] as number) + 1;
        counts[bin] = count;
        if (count + (counts[bin + 1] as number) === needed) reached.push(bin);
        if (count + (counts[bin - 1] as number) === needed) reached.push(bin - 1);
      }
    }
    return reached.sort((a, b) => a - b);
  }

  private joined(
    bins: readonly number[],
    length: number,
    max: number,
  ): readonly GramWindow[] | null {
    const bits = binBits(max);
    const found: { from: number; to: number }[] = [];
    let covered = 0;
    for (const bin of bins) {
      const from = Math.max(0, ((bin - 1) << bits) - length - max);
      const to = Math.min(this.text.length, ((bin + 1) << bits) + 2 * max);
      const last = found.at(-1);
      if (last !== undefined && from <= last.to) {
        covered += Math.max(0, to - last.to);
        last.to = Math.max(last.to, to);
      } else {
        covered += Math.max(0, to - from);
        found.push({ from, to });
      }
      if (covered > this.text.length * WINDOWS_SHARE) return null;
    }
    return found;
  }

  private hashOf(gram: number): number {
    return Math.imul(gram, 0x9e3779b1) >>> this.shift;
  }
}

/** Two adjacent bins contain shifts that differ by at most `most`. */
const binBits = (max: number): number => Math.ceil(Math.log2(max + 1));

const rolled = (gram: number, code: number): number =>
  (gram >>> 8) | (((code ^ (code >>> 8)) & 255) << 24);

function piecesOf(pattern: string, pieces: number): readonly number[] {
  return Array.from({ length: pieces }, (_, piece) => {
    let gram = 0;
    for (let i = 0; i < GRAM; i++) gram = rolled(gram, pattern.charCodeAt(piece * GRAM + i));
    return gram;
  });
}
