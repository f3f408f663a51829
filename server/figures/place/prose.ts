import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { FigureReading } from '../reading';
import type { Misattribution } from './attribute';
import { opposedWords } from './opposed';
import { stemOf } from './words';

/**
 * Maximum figures of a text that are compared, and words on either side of a figure, to bound the
 * cost of a text.
 */
const ITEMS_MAX = 4_000;
const BEFORE = 90;
const AFTER = 60;
const WORDS = 8;
/** This many words nearest to the figure on either side count double. */
const NEAR = 3;
const STOP = new Set(
  'the a an and or of to in on at by for from with as is are was were be been has have had will would can could it its this that these those their our your we you they he she his her i not no than then also into over under up more most all any each per which who while such about during through after before between both said says new company including approximately'.split(
    ' ',
  ),
);

/**
 * A figure of running text is identified by its neighbours. If its words in the answer match those
 * around another figure of the same kind, and hardly any of those around its own value, it was
 * taken from the wrong place.
 */
export class Prose {
  private readonly postings = new Map<string, PostingNeighbours[]>();
  private readonly kept: readonly SourceItem[];

  constructor(
    items: readonly SourceItem[],
    private readonly text: string,
  ) {
    this.kept = items.slice(0, ITEMS_MAX);
    for (const item of this.kept) {
      for (const [word, weight, isBefore] of neighbours(text, item.from, item.to)) {
        const postings = this.postings.get(word);
        const neighbour = { item, weight, isBefore };
        if (postings === undefined) this.postings.set(word, [neighbour]);
        else postings.push(neighbour);
      }
    }
  }

  /** @param stated the figures of the figure's sentence */
  judge(
    figure: ScannedFigure,
    answer: string,
    items: readonly SourceItem[],
    stated: readonly ScannedFigure[],
  ): Misattribution | null {
    const opposite = opposedWords(answer, figure, this.text, items);
    if (opposite !== null)
      return {
        expected: items[0] ?? null,
        why: `the source says “${opposite}” of this value, and the sentence the opposite`,
      };
    const shared = this.shared(figure, answer);
    const own = new Set(items);
    let here = 0;
    for (const item of items) here = Math.max(here, shared.get(item) ?? 0);
    let best: SourceItem | null = null;
    let max = 0;
    for (const [item, count] of shared) {
      if (count <= max || own.has(item) || kindOf(item.reading) !== kindOf(figure.reading))
        continue;
      max = count;
      best = item;
    }
    if (best === null) return null;
    const other = this.statedAs(best, figure, stated);
    const why = `the words near it are near ${best.text} in the source`;
    // Two figures of one sentence that are neighbours in the source too: they were exchanged, or
    // each is in its place.
    if (other !== null && items.some((item) => Math.abs(item.from - best.from) < BEFORE)) {
      const [ours, otherItems] = [this.onSide(figure, answer), this.onSide(other, answer)];
      const at = (shared: ReadonlyMap<SourceItem, number>): number =>
        Math.max(...items.map((item) => shared.get(item) ?? 0));
      return (ours.get(best) ?? 0) >= at(ours) + EXCHANGED &&
        at(otherItems) >= (otherItems.get(best) ?? 0) + EXCHANGED
        ? { expected: best, why }
        : null;
    }
    return here >= KNOWN || max < here + MARGIN ? null : { expected: best, why };
  }

  /** The weight of the words that a figure shares with each place. */
  private shared(figure: ScannedFigure, answer: string): ReadonlyMap<SourceItem, number> {
    const shared = new Map<SourceItem, number>();
    for (const [word, near] of neighbours(answer, figure.from, figure.to)) {
      for (const { item, weight } of this.postings.get(word) ?? [])
        shared.set(item, (shared.get(item) ?? 0) + near + weight - 1);
    }
    return shared;
  }

  /** The same, for words on the same side only: before it, or after it. */
  private onSide(figure: ScannedFigure, answer: string): ReadonlyMap<SourceItem, number> {
    const shared = new Map<SourceItem, number>();
    for (const [word, near, before] of neighbours(answer, figure.from, figure.to)) {
      for (const { item, weight, isBefore } of this.postings.get(word) ?? [])
        if (isBefore === before) shared.set(item, (shared.get(item) ?? 0) + near + weight - 1);
    }
    return shared;
  }

  private statedAs(
    item: SourceItem,
    figure: ScannedFigure,
    stated: readonly ScannedFigure[],
  ): ScannedFigure | null {
    const near = stated.slice(0, STATED_MAX);
    return (
      near.find(
        (each) =>
          each !== figure &&
          each.text === item.text &&
          kindOf(each.reading) === kindOf(item.reading),
      ) ?? null
    );
  }
}

/** Maximum figures of a sentence that are compared with one figure. */
const STATED_MAX = 32;
/** The minimum gain in shared words if two figures are exchanged. */
const EXCHANGED = 2;
/**
 * The weight shared with its own place that clears a figure, and the minimum lead of another place.
 */
const KNOWN = 9;
const MARGIN = 5;

interface PostingNeighbours {
  readonly item: SourceItem;
  readonly weight: number;
  readonly isBefore: boolean;
}

function kindOf(reading: FigureReading): string {
  if (reading.moment !== null) return 'date';
  return reading.percent ? '%' : (reading.currency ?? (reading.year === null ? 'number' : 'year'));
}

/** Distinctive words on either side, within the same sentence. */
function neighbours(
  text: string,
  from: number,
  to: number,
): readonly (readonly [word: string, weight: number, isBefore: boolean])[] {
  const before = text
    .slice(Math.max(0, from - BEFORE), from)
    .replace(/^[\s\S]*(?:[.!?]\s|\n)/u, '');
  const after = /^(?:(?![.!?,;:]\s|\n)[\s\S])*/u.exec(text.slice(to, to + AFTER))?.[0] ?? '';
  const found = new Map<string, number>();
  for (const [i, word] of wordsOf(before).reverse().slice(0, WORDS).entries())
    found.set(word, i < NEAR ? 2 : 1);
  const left = new Set(found.keys());
  for (const [i, word] of wordsOf(after).slice(0, WORDS).entries())
    found.set(word, Math.max(found.get(word) ?? 0, i < NEAR ? 2 : 1));
  return Array.from(found, ([word, weight]) => [word, weight, left.has(word)] as const);
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
    .filter((word) => !STOP.has(word))
    .map(stemOf);
}
