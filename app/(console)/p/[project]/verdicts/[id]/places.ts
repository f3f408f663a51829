import { type Figure, type SourcePlace, utf16Index } from '@/server/domain';

/**
 * The relation of a place to a figure: its value was `found` there; it was found only there, though
 * the sentence refers to another place (`misplaced`); the sentence is `expected` to refer to it; it
 * is an `operand` of the figure's calculation; the envelope only `cited` it.
 */
export type PlaceState = 'found' | 'misplaced' | 'expected' | 'operand' | 'cited';

/** The figures of a place in the sources. */
export interface PlaceMark {
  /** Id of the source. */
  readonly id: string;
  readonly path: string;
  readonly figures: readonly number[];
  readonly state: PlaceState;
  /** As written in the source, to be located inside a longer string. */
  readonly text: string | null;
}

/** Path → marks: a string may hold several figures. */
export type PathMarks = ReadonlyMap<string, readonly PlaceMark[]>;

/** By source id. */
export type PlaceMap = ReadonlyMap<string, PathMarks>;

export function placesOf(figures: readonly Figure[]): PlaceMap {
  const map = new Map<string, Map<string, PlaceMark[]>>();
  const add = (
    { id, path }: SourcePlace,
    figure: number,
    state: PlaceState,
    text: string | null,
  ) => {
    const mark: PlaceMark = { id, path, figures: [figure], state, text };
    const paths = map.get(id) ?? new Map<string, PlaceMark[]>();
    map.set(id, paths);
    const marks = paths.get(path) ?? [];
    paths.set(path, marks);
    const at = marks.findIndex((old) => old.text === text || text === null);
    const old = marks[at];
    if (old)
      marks[at] = { ...old, figures: [...old.figures.filter((each) => each !== figure), figure] };
    else marks.push(mark);
  };
  figures.forEach((figure, index) => {
    if (figure.source && figure.sourced) add(figure.source, index, 'found', figure.source_text);
  });
  // After these, so that a place that supports one figure and is wrong for another counts as found.
  figures.forEach((figure, index) => {
    if (figure.source && !figure.sourced)
      add(figure.source, index, 'misplaced', figure.source_text);
    if (figure.expected) add(figure.expected, index, 'expected', figure.expected.value);
    for (const operand of figure.derived?.operands ?? [])
      add(operand, index, 'operand', operand.value);
    if (figure.cited && !figure.source) add(figure.cited, index, 'cited', null);
  });
  return map;
}

/** A piece of a shown text; `mark` if it is the place of a figure. */
export interface Segment {
  readonly text: string;
  readonly mark: PlaceMark | null;
  /** UTF-16 position. */
  readonly from: number;
}

interface Span {
  readonly mark: PlaceMark;
  readonly from: number;
  readonly to: number;
}

/** If spans overlap the first wins. */
function splitAtSpans(text: string, spans: readonly Span[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const { mark, from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (from < at || to <= from) continue;
    if (at < from) segments.push({ text: text.slice(at, from), mark: null, from: at });
    segments.push({ text: text.slice(from, to), mark, from });
    at = to;
  }
  if (at < text.length) segments.push({ text: text.slice(at), mark: null, from: at });
  return segments;
}

/** Splits a plain-text source at its places: `text[12:18]` is code points 12 to 18. */
export function splitAtPlaces(text: string, marks: Iterable<PlaceMark>): Segment[] {
  const spans = [...marks].flatMap((mark) => {
    const match = /^text\[(\d+):(\d+)\]$/.exec(mark.path);
    return match
      ? [{ mark, from: utf16Index(text, Number(match[1])), to: utf16Index(text, Number(match[2])) }]
      : [];
  });
  return splitAtSpans(text, spans);
}

/** Position of a whole value: a 1 is not found in 41, nor in 1.5. -1 when it is absent. */
export function findValue(text: string, value: string): number {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + value.length, at + value.length + 2);
    if (!/\p{N}[.,]?$/u.test(before) && !/^[.,]?\p{N}/u.test(after)) return at;
  }
  return -1;
}

/**
 * Splits the text of a JSON scalar or key at the values found in it. A scalar that equals the
 * value, or does not show it as found (escapes, an unknown spelling), is one mark as a whole for
 * all its figures.
 */
export function splitToken(token: string, marks: readonly PlaceMark[]): Segment[] {
  const [first] = marks;
  if (!first) return [{ text: token, mark: null, from: 0 }];
  // Positions in an escaped text do not match: `\\u0033` shows a 3 that is not one.
  const isQuoted = token.startsWith('"') && !token.includes('\\u');
  const spans = isQuoted
    ? marks.flatMap((mark) => {
        const from = mark.text ? findValue(token, mark.text) : -1;
        return mark.text && from !== -1 ? [{ mark, from, to: from + mark.text.length }] : [];
      })
    : [];
  const segments = spans.length === marks.length ? splitAtSpans(token, spans) : [];
  // No value may be lost because it is inside another: better one mark for all.
  if (segments.filter((segment) => segment.mark !== null).length === marks.length) return segments;
  return [
    { text: token, mark: { ...first, figures: marks.flatMap((mark) => mark.figures) }, from: 0 },
  ];
}
