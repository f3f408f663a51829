import type { Source } from '../domain';
import { labelsOf } from './json/labels';
import { type JsonTable, RowKind } from './json/table';
import type { ScannedFigure } from './scan';
import type { SourceContent, SourceItem } from './source-items';

/**
 * Maximum places compared for one figure, and maximum figures compared in one answer: they bound
 * the cost of an answer.
 */
const CANDIDATES_MAX = 64;
const REACH = 160;
const KEY_WEIGHT = 2;
const LABEL_WEIGHT = 3;
const SHORTEST_WORD = 3;
const NAME_LENGTH_MAX = 80;
const NONE = -1;
/**
 * Pairs of letters of a sentence, by 12 bits: a text that begins or ends with another pair is not
 * in it.
 */
const PAIRS = 4_096;

/**
 * Parts of a name, and the number of them that begin a word of the sentence; the turn is that of
 * the last lookup.
 */
class NameParts {
  turn = 0;
  count = 0;

  constructor(readonly parts: readonly string[]) {}
}

/** Finds the place that a reader would check. Names are parsed once for a turn's sources. */
export class NearestPlace {
  private readonly named = new Map<string, NameParts>();
  private readonly keys = new Map<JsonTable, (NameParts | undefined)[]>();
  /** The turn of the last sentence that had a pair. */
  private readonly pairs = new Int32Array(PAIRS);
  private readonly labels: number[] = [];
  private turn = 0;
  /** The sentence of this turn. */
  private sentence = '';

  constructor(
    private readonly sources: readonly Source[],
    private readonly contents: readonly SourceContent[],
  ) {}

  /**
   * The place whose keys, row labels or source name occur near the figure in the sentence; by
   * default the first place.
   */
  of(items: readonly SourceItem[], figure: ScannedFigure, answer: string): SourceItem | null {
    const first = items[0] ?? null;
    if (items.length < 2 || first === null) return first;
    this.sentence = sentenceAround(answer, figure);
    this.turn++;
    let before = 0;
    for (let at = 0; at < this.sentence.length; at++) {
      const unit = this.sentence.charCodeAt(at);
      this.pairs[pairOf(before, unit)] = this.turn;
      before = unit;
    }
    let best = first;
    let max = 0;
    for (let i = 0; i < items.length && i < CANDIDATES_MAX; i++) {
      const item = items[i] ?? first;
      const score = this.scoreOf(item);
      if (score > max) {
        max = score;
        best = item;
      }
    }
    return best;
  }

  private scoreOf({ source, row }: SourceItem): number {
    const table = this.contents[source]?.table ?? null;
    let score = this.countOf(this.partsOf(this.sources[source]?.label ?? ''));
    if (table === null) return score;
    score += KEY_WEIGHT * this.keysNamed(table, row);
    const count = labelsOf(table, row, this.labels);
    for (let i = 0; i < count; i++)
      if (this.isNamed(table, this.labels[i] ?? 0)) score += LABEL_WEIGHT;
    return score;
  }

  private keysNamed(table: JsonTable, row: number): number {
    let cached = this.keys.get(table);
    if (cached === undefined) {
      cached = [];
      this.keys.set(table, cached);
    }
    let count = 0;
    let step = table.stepOf(row);
    for (
      let container = table.parentOf(row);
      container !== NONE;
      container = table.above(container)
    ) {
      if (step < 0) {
        const parts = cached[~step] ?? this.partsOf(table.keys.textOf(~step));
        cached[~step] = parts;
        count += this.countOf(parts);
      }
      step = table.stepOfContainer(container);
    }
    return count;
  }

  private isNamed(table: JsonTable, label: number): boolean {
    if (table.kindOf(label) === RowKind.label) {
      const { units } = table;
      const from = table.fromOf(label);
      const to = table.toOf(label);
      if (this.pairs[pairOf(units[from] ?? 0, units[from + 1] ?? 0)] !== this.turn) return false;
      if (this.pairs[pairOf(units[to - 2] ?? 0, units[to - 1] ?? 0)] !== this.turn) return false;
    }
    return this.sentence.includes(table.textOf(label).toLowerCase());
  }

  private partsOf(name: string): NameParts {
    let cached = this.named.get(name);
    if (cached === undefined) {
      cached = new NameParts(partsOf(name));
      this.named.set(name, cached);
    }
    return cached;
  }

  /** The number of a name's parts that begin a word of the sentence. */
  private countOf(name: NameParts): number {
    if (name.turn !== this.turn) {
      name.turn = this.turn;
      name.count = 0;
      for (const part of name.parts) if (begins(this.sentence, part)) name.count++;
    }
    return name.count;
  }
}

function begins(sentence: string, part: string): boolean {
  for (let at = sentence.indexOf(part); at !== -1; at = sentence.indexOf(part, at + 1)) {
    if (at === 0 || !endsWord(sentence, at)) return true;
  }
  return false;
}

/** Whether a letter or digit is right before `at`. */
function endsWord(text: string, at: number): boolean {
  const unit = text.charCodeAt(at - 1);
  if (unit < 128) return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
  return /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at));
}

/** Parts of a name (`disk_pct`, `feelsLike`). */
function partsOf(name: string): readonly string[] {
  const parts = name
    .slice(0, NAME_LENGTH_MAX)
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return parts.filter((part) => part.length >= SHORTEST_WORD);
}

/**
 * Twelve bits of two units; equal for capital and lower-case letters, since the bit that differs is
 * omitted.
 */
function pairOf(first: number, second: number): number {
  return ((((first & 0x40) >> 1) | (first & 0x1f)) << 6) | ((second & 0x40) >> 1) | (second & 0x1f);
}

function sentenceAround(answer: string, figure: ScannedFigure): string {
  const before = answer.slice(Math.max(0, figure.from - REACH), figure.from);
  const after = answer.slice(figure.to, figure.to + REACH);
  const start = Math.max(
    before.lastIndexOf('. '),
    before.lastIndexOf('\n'),
    before.lastIndexOf('! '),
    before.lastIndexOf('? '),
  );
  const stop = after.search(/[.!?](?:\s|$)|\n/u);
  return `${before.slice(start + 1)}${figure.text}${stop === -1 ? after : after.slice(0, stop)}`.toLowerCase();
}
