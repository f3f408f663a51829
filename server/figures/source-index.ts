import { countCodePoints, type SourcePlace, type Source } from '../domain';
import { NearestPlace } from './nearest';
import { looseNodePath, loosePaths, renderPath } from './path';
import type { FigureReading } from './reading';
import type { ScannedFigure } from './scan';
import { ReadSource, type SourceContents } from './source-contents';
import { readSource, type SourceContent, type SourceItem } from './source-items';
import { SourceValues } from './source-values';
import type { Grid } from './place/grid';
import { headScales } from './place/head-scale';
import { type FoundItems, ListedValues, ValueIndex } from './value-index';

/** Paths that mean the whole of a plain-text source. */
const WHOLE_TEXT = new Set(['', '$', 'text', 'content', 'result']);
const TEXT_SPAN = /^(?:text)?\[(\d{1,9}):(\d{1,9})\]$/;

/** The result of resolving a fact's pointer. */
export type Pointed =
  | { readonly state: 'right'; readonly item: SourceItem }
  | { readonly state: 'wrong_path' }
  | { readonly state: 'unknown_source' };

/**
 * The values of one turn's sources only (INT-2). Nothing is read before the first lookup, so an
 * answer without figures costs nothing (INT-14).
 */
export class SourceIndex {
  private reads: readonly ReadSource[] | null = null;
  private contents: readonly SourceContent[] | null = null;
  private values: ValueIndex<SourceItem> | null = null;
  private readonly paths = new Map<number, Map<string, SourceItem[]>>();
  private readonly atPath = new Map<SourceItem[], ValueIndex<SourceItem>>();
  private readonly scales = new Map<number, readonly number[]>();
  private places: NearestPlace | null = null;
  private readonly points = new Map<number, Uint32Array | null>();

  /** @param known sources of earlier turns, which are not reread */
  constructor(
    readonly sources: readonly Source[],
    private readonly known: SourceContents | null = null,
  ) {}

  /** All places of a value, by its best fit; null if no source contains it. */
  find(reading: FigureReading): FoundItems<SourceItem> | null {
    return this.allValues().find(reading);
  }

  /** Every place that a reading can mean, exact or rounded. */
  findAll(reading: FigureReading): readonly SourceItem[] {
    return this.allValues().findAll(reading);
  }

  /** The values that are numbers between two ends, inclusive. */
  findBetween(low: number, high: number): readonly SourceItem[] {
    return this.allValues().findBetween(low, high);
  }

  /** Whether the value is at the place that a fact cites (INT-3, INT-4). */
  point(cited: SourcePlace, reading: FigureReading): Pointed {
    let known = false;
    for (const [position, source] of this.sources.entries()) {
      if (source.id !== cited.id) continue;
      known = true;
      const item = this.itemsAt(position, cited.path)?.find(reading)?.items[0];
      if (item !== undefined) return { state: 'right', item };
    }
    return { state: known ? 'wrong_path' : 'unknown_source' };
  }

  placeOf(item: SourceItem): SourcePlace {
    const id = this.sources[item.source]?.id ?? '';
    const { node } = item;
    if (node !== null) return { id, path: renderPath(node) };
    return {
      id,
      path: `text[${this.codePoint(item.source, item.from)}:${this.codePoint(item.source, item.to)}]`,
    };
  }

  /** The place of a value that a reader would check. */
  nearest(items: readonly SourceItem[], figure: ScannedFigure, answer: string): SourceItem | null {
    this.places ??= new NearestPlace(this.sources, this.read());
    return this.places.of(items, figure, answer);
  }

  /** One source as rows and columns, built on first use; null if there is no such source. */
  gridOf(position: number): Grid | null {
    return this.readAll()[position]?.grid ?? null;
  }

  /** The scales in a source's table heads. */
  scalesOf(position: number): readonly number[] {
    let cached = this.scales.get(position);
    if (cached === undefined) {
      cached = headScales(this.sources[position]?.text ?? '');
      this.scales.set(position, cached);
    }
    return cached;
  }

  /** Each source's values, read once. */
  read(): readonly SourceContent[] {
    this.contents ??= this.readAll().map(({ content }) => content);
    return this.contents;
  }

  private readAll(): readonly ReadSource[] {
    this.reads ??= this.sources.map(
      (source, position) =>
        this.known?.read(source, position) ??
        new ReadSource(source.format, readSource(source, position)),
    );
    return this.reads;
  }

  private allValues(): ValueIndex<SourceItem> {
    this.values ??= new ValueIndex(new SourceValues(this.read()));
    return this.values;
  }

  private itemsAt(position: number, path: string): ValueIndex<SourceItem> | null {
    const content = this.read()[position];
    if (content === undefined) return null;
    if (content.table === null) return this.itemsInText(position, content.items, path.trim());
    const paths = this.pathsOf(position, content);
    for (const spelled of loosePaths(path)) {
      const items = paths.get(spelled);
      if (items !== undefined) return this.indexOf(items);
    }
    return null;
  }

  private indexOf(items: SourceItem[]): ValueIndex<SourceItem> {
    const valueIndex = this.atPath.get(items) ?? new ValueIndex(new ListedValues(items));
    this.atPath.set(items, valueIndex);
    return valueIndex;
  }

  private pathsOf(position: number, content: SourceContent): Map<string, SourceItem[]> {
    const cached = this.paths.get(position);
    if (cached !== undefined) return cached;
    const paths = new Map<string, SourceItem[]>();
    for (const item of content.items) {
      const { node } = item;
      if (node === null) continue;
      const path = looseNodePath(node);
      const items = paths.get(path);
      if (items === undefined) paths.set(path, [item]);
      else items.push(item);
    }
    this.paths.set(position, paths);
    return paths;
  }

  /** In plain text a fact may name the whole, or a range that touches the value. */
  private itemsInText(
    position: number,
    all: readonly SourceItem[],
    path: string,
  ): ValueIndex<SourceItem> | null {
    const span = TEXT_SPAN.exec(path);
    if (span === null && !WHOLE_TEXT.has(path)) return null;
    const paths = this.paths.get(position) ?? new Map<string, SourceItem[]>();
    this.paths.set(position, paths);
    const key = span === null ? '' : path;
    const cached = paths.get(key);
    if (cached !== undefined) return this.indexOf(cached);
    const [from, to] = span === null ? [0, Infinity] : [Number(span[1]), Number(span[2])];
    const items = all.filter(
      (item) =>
        this.codePoint(position, item.from) < to && this.codePoint(position, item.to) > from,
    );
    paths.set(key, items);
    return this.indexOf(items);
  }

  private codePoint(position: number, unit: number): number {
    let table = this.points.get(position);
    if (table === undefined) {
      table = codePointTable(this.sources[position]?.text ?? '');
      this.points.set(position, table);
    }
    return table?.[unit] ?? unit;
  }
}

/** Code points before each UTF-16 unit, or null if the two are the same. */
function codePointTable(text: string): Uint32Array | null {
  if (countCodePoints(text) === text.length) return null;
  const table = new Uint32Array(text.length + 1);
  let points = 0;
  for (let unit = 0; unit < text.length; unit++) {
    table[unit] = points;
    if ((text.codePointAt(unit) ?? 0) > 0xffff) {
      unit++;
      table[unit] = points;
    }
    points++;
  }
  table[text.length] = points;
  return table;
}
