import { CAPITAL_SEEN, DIGIT_SEEN, JOINT_SEEN, WordPrints } from './fingerprint';
import type { RowLabels } from './grid';
import { NAME_WORDS_MAX } from './sentence';

/** A name of letters with hyphens, which is also read without them. */
const SPLITS = /^\p{L}+(?:[-_]\p{L}+)+$/u;
/** Minimum letters of a part of a name that can replace the name. */
const PART_MIN = 3;
export const CAPITAL = /\p{Lu}/u;
/** In `counts`: the label contains no name. An unread label has 0. */
const NAMELESS = 255;

/** A name by its fingerprint, and the fingerprint of its first word. */
export interface NamePrint {
  readonly print: number;
  readonly opening: number;
}

/** Other forms of a name. */
export interface OtherNames {
  /** Capitalized words: "Ada" of "Ada Lund". */
  readonly parts: readonly NamePrint[];
  /** "the short form" of `short-form`; null without hyphens. */
  readonly split: NamePrint | null;
}

/** The names in a source's labels, each read once: columns share the labels of their rows. */
export class LabelNames {
  private readonly prints: Float64Array;
  private readonly openings: Int32Array;
  private readonly counts: Uint8Array;
  private readonly others = new Map<number, OtherNames>();
  private readonly words = new WordPrints();

  constructor(private readonly labels: RowLabels) {
    const size = labels.size + labels.complements;
    this.prints = new Float64Array(size);
    this.openings = new Int32Array(size);
    this.counts = new Uint8Array(size);
  }

  /** The fingerprint of a label's name; 0 if it has none. */
  printOf(label: number): number {
    const at = this.indexOf(label);
    if (this.counts[at] === 0) this.read(label, at);
    return this.prints[at] ?? 0;
  }

  /** Of a label whose print was read: the fingerprint of its first word. */
  openingOf(label: number): number {
    return this.openings[this.indexOf(label)] ?? 0;
  }

  /** Of a label whose print was read: whether its name is one word. */
  isWord(label: number): boolean {
    return this.counts[this.indexOf(label)] === 1;
  }

  /** Of a label whose print was read; null if its name has no other form. */
  otherNamesOf(label: number): OtherNames | null {
    return this.others.size === 0 ? null : (this.others.get(label) ?? null);
  }

  private indexOf(label: number): number {
    return label < 0 ? this.labels.size + ~label : label;
  }

  private read(label: number, at: number): void {
    const { words } = this;
    if (!this.labels.read(label, words, NAME_WORDS_MAX) || words.count === 0) {
      this.counts[at] = NAMELESS;
      return;
    }
    this.prints[at] = words.print(0, words.count);
    this.openings[at] = words.first[0] ?? 0;
    this.counts[at] = words.count;
    const hasParts = words.count > 1 && (words.seen & CAPITAL_SEEN) !== 0;
    const mayBeSplit = (words.seen & (JOINT_SEEN | DIGIT_SEEN)) === JOINT_SEEN;
    if (hasParts || mayBeSplit) this.readOtherNames(label);
  }

  private readOtherNames(label: number): void {
    const text = this.labels.textOf(label);
    const parts = this.partsOf(text);
    const split = this.splitOf(text);
    if (parts.length > 0 || split !== null) this.others.set(label, { parts, split });
  }

  private partsOf(text: string): readonly NamePrint[] {
    const { words } = this;
    const parts: NamePrint[] = [];
    for (let i = 0; words.count > 1 && i < words.count; i++) {
      const [from, to] = [words.from[i] ?? 0, words.to[i] ?? 0];
      if (to - from < PART_MIN || !CAPITAL.test(text.charAt(from))) continue;
      parts.push({ print: words.print(i, 1), opening: words.first[i] ?? 0 });
    }
    return parts;
  }

  private splitOf(text: string): NamePrint | null {
    const { words } = this;
    if (!SPLITS.test(text) || !words.readText(text.replaceAll(/[-_]/gu, ' '), NAME_WORDS_MAX))
      return null;
    return { print: words.print(0, words.count), opening: words.first[0] ?? 0 };
  }
}
