import { type DataRecord, type Leaf, readRecords } from './records';
import type { ClaimOutput, ClaimPlace } from './output';
import { sentencesIn, type Stretch } from './sentences';
import { fold, type ReadFigure, type Word, wordsIn } from './words';

/** A sentence of an output: its words that count stand in the stream from `first` on. */
export interface Passage {
  readonly index: number;
  readonly first: number;
  readonly count: number;
  readonly turns: number;
  /** Of its words those before its first comma or bracket. */
  readonly clause: number;
}

interface StreamWord {
  readonly word: string;
  readonly unit: string | null | undefined;
  readonly passage: number;
  /** Of its text, see `placeOf`. */
  readonly from: number;
  readonly to: number;
}

export type ReadFigures = (text: string) => readonly ReadFigure[];

/**
 * All outputs made ready for looking up many claims: the words that count, sentence by sentence, in one stream with an index, every
 * word for quotes in another, and the records of the data by what stands in them. Made once; linear in the outputs.
 */
export class OutputIndex {
  readonly stream: StreamWord[] = [];
  readonly passages: Passage[] = [];
  private readonly paths: (string | null)[] = [];
  private readonly at = new Map<string, number[]>();
  private readonly records = new Map<string, DataRecord[]>();
  private readonly leaves = new Map<string, { readonly leaf: Leaf; readonly record: DataRecord }>();
  private readonly columns = new Map<string, Leaf[]>();
  private readonly spoken: { readonly word: string; readonly place: ClaimPlace }[] = [];
  private readonly spokenAt = new Map<string, number[]>();

  constructor(outputs: readonly ClaimOutput[], readFigures: ReadFigures) {
    for (const [index, output] of outputs.entries()) {
      this.addText(index, output.summary, null, readFigures);
      const { records, prose } = readRecords(output, index);
      for (const { path, text } of prose) this.addText(index, text, path, readFigures);
      for (const record of records) this.addRecord(record);
    }
  }

  /** Whether these digits stand anywhere in a text or value, alone or in a name. */
  names(digits: string): boolean {
    return this.spokenAt.has(digits);
  }

  /** Where a word of the stream stands, at most `PLACES_MAX` places. */
  placesOf(word: string): readonly number[] {
    return this.at.get(word) ?? [];
  }

  /** Records in which a value has this word. */
  recordsWith(word: string): readonly DataRecord[] {
    return this.records.get(word) ?? [];
  }

  leafAt(index: number, path: string): { readonly leaf: Leaf; readonly record: DataRecord } | null {
    return this.leaves.get(`${index} ${path}`) ?? null;
  }

  /** Leaves of one output whose keys have this word. */
  leavesUnder(index: number, key: string): readonly Leaf[] {
    return this.columns.get(`${index} ${key}`) ?? [];
  }

  /** The place of a stretch of the stream. */
  placeOf(first: number, last: number): ClaimPlace | null {
    const [start, end] = [this.stream[first], this.stream[last]];
    const passage = start === undefined ? undefined : this.passages[start.passage];
    if (start === undefined || end === undefined || passage === undefined) return null;
    const path = this.paths[start.passage] ?? null;
    if (path === null) return { index: passage.index, part: 'summary', start: start.from, end: end.to };
    return { index: passage.index, part: 'data', path, text: '' };
  }

  /** Where the rarest word of a quotation stands in the outputs, and which of its words that is. */
  quoteCandidates(words: readonly string[]): { readonly offset: number; readonly places: readonly number[] } {
    let rarest = { offset: 0, places: this.spokenAt.get(words[0] ?? '') ?? [] };
    for (const [offset, word] of words.entries()) {
      const places = this.spokenAt.get(word) ?? [];
      if (places.length < rarest.places.length) rarest = { offset, places };
    }
    return rarest;
  }

  /** Whether the words of a quotation stand from here on, and where; null when not. */
  spokenFrom(at: number, words: readonly string[]): ClaimPlace | null {
    const [first, last] = [this.spoken[at], this.spoken[at + words.length - 1]];
    if (at < 0 || first === undefined || last === undefined || !isSameText(first.place, last.place)) return null;
    for (const [i, word] of words.entries()) if (this.spoken[at + i]?.word !== word) return null;
    const { place } = first;
    return place.part === 'summary' && last.place.part === 'summary' ? { ...place, end: last.place.end } : place;
  }

  private addText(index: number, text: string, path: string | null, readFigures: ReadFigures): void {
    const figures = readFigures(text);
    for (const sentence of sentencesIn(text, { start: 0, end: text.length })) {
      // Who asks says nothing.
      if (/[?？]["'”’»)\]*_]{0,4}$/u.test(text.slice(Math.max(sentence.start, sentence.end - 6), sentence.end))) continue;
      const words = wordsIn(text, sentence, figures);
      this.addPassage(index, path, words, text);
    }
    this.addSpoken(index, text, path);
  }

  private addSpoken(index: number, text: string, path: string | null): void {
    const data: ClaimPlace | null = path === null ? null : { index, part: 'data', path, text: text.slice(0, 200) };
    for (const match of text.matchAll(SPOKEN)) {
      const word = fold(match[0]);
      push(this.spokenAt, word, this.spoken.length);
      const place = data ?? { index, part: 'summary', start: match.index, end: match.index + match[0].length };
      this.spoken.push({ word, place });
    }
  }

  private addPassage(index: number, path: string | null, words: readonly Word[], text: string): void {
    const first = this.stream.length;
    let turns = 0;
    let clause = -1;
    let behind = words[0]?.from ?? 0;
    for (const { word, kind, unit, from, to } of words) {
      if (clause === -1 && CLAUSE.test(text.slice(behind, from))) clause = this.stream.length - first;
      behind = to;
      if (kind === 'stop' || kind === 'framing') continue;
      if (kind === 'turn') turns++;
      push(this.at, word, this.stream.length);
      this.stream.push({ word, unit, passage: this.passages.length, from, to });
    }
    const count = this.stream.length - first;
    this.passages.push({ index, first, count, turns, clause: clause === -1 ? count : clause });
    this.paths.push(path);
  }

  private addRecord(record: DataRecord): void {
    const words = new Set<string>();
    for (const leaf of record.leaves) {
      this.leaves.set(`${leaf.index} ${leaf.path}`, { leaf, record });
      for (const key of leaf.keys) push(this.columns, `${leaf.index} ${key}`, leaf);
      for (const word of leaf.values) words.add(word);
      if (leaf.values.length > 0) this.addSpoken(leaf.index, leaf.text, leaf.path);
    }
    for (const word of words) push(this.records, word, record);
  }
}

const CLAUSE = /[,;:()–—]/u;
const SPOKEN = /[\p{L}\p{M}\p{N}]+/gu;

function isSameText(a: ClaimPlace, b: ClaimPlace): boolean {
  if (a.index !== b.index) return false;
  return a.part === 'data' ? b.part === 'data' && a.path === b.path : b.part === 'summary';
}

/** As many places as are ever looked at; what stands more often tells nothing apart. */
export const PLACES_MAX = 2_000;

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else if (list.length < PLACES_MAX) list.push(value);
}

/** Words of a quotation, all that are spoken. */
export function spokenWords(text: string, { start, end }: Stretch): readonly string[] {
  return Array.from(text.slice(start, end).matchAll(SPOKEN), ([word]) => fold(word));
}
