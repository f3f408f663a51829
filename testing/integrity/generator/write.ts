import type { Entry } from './draw';
import { downNouns, downWords, upNouns, upWords } from './forms';
import {
  preposition,
  formatEntry,
  formatFigure,
  formatMeasure,
  type Style,
  type Twist,
} from './format';
import type { Measure } from './shapes';

/** The meaning of the letters of a form, and the value shown for each figure. */
export interface Cast {
  readonly entries: Readonly<Record<string, Entry>>;
  readonly measures: Readonly<Record<string, Measure>>;
  readonly shown: Readonly<Record<string, Shown>>;
  /** Letters of the records whose direction is reversed. */
  readonly turned: ReadonlySet<string>;
}

export interface Shown {
  readonly value: number;
  readonly twist: Twist;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Written {
  readonly text: string;
  /** Positions of each figure (`Ax`) and each record (`A`). */
  readonly spans: ReadonlyMap<string, readonly Span[]>;
}

const SLOT = /([$@+~])([A-CHL]?)([xy]?)(?![A-Za-z])/g;

export function write(form: string, cast: Cast, style: Style): Written {
  let text = '';
  let from = 0;
  const spans = new Map<string, Span[]>();
  const push = (part: string, slot: string): void => {
    const opens = text === '' || text.endsWith('. ');
    const start = opens && !/^\S*[-\d]/.test(part) ? capital(part) : part;
    if (/(?:^|\s)[Aa] $/.test(text) && /^[aeiou]/i.test(start)) text = `${text.slice(0, -1)}n `;
    spans.set(slot, [
      ...(spans.get(slot) ?? []),
      { start: text.length, end: text.length + start.length },
    ]);
    text += start;
  };
  for (const match of form.matchAll(SLOT)) {
    const [all, kind, letter = '', quantity = ''] = match;
    text += form.slice(from, match.index);
    from = match.index + all.length;
    push(partOf(kind ?? '', letter, quantity, cast, style), letter + quantity);
  }
  return { text: text + form.slice(from), spans };
}

function partOf(kind: string, letter: string, quantity: string, cast: Cast, style: Style): string {
  const measure = cast.measures[quantity];
  const entry = cast.entries[letter];
  if (entry === undefined) return measure === undefined ? '' : formatMeasure(measure, style);
  if (kind === '@') return `${preposition(entry.date)} ${formatEntry(entry, style)}`;
  if (kind === '+' || kind === '~') {
    const up = entry.change > 0 !== cast.turned.has(letter);
    const words = kind === '+' ? (up ? upWords : downWords) : up ? upNouns : downNouns;
    return words[(style.words + letter.charCodeAt(0)) % words.length] ?? '';
  }
  const shown = cast.shown[letter + quantity];
  if (measure === undefined || shown === undefined) return formatEntry(entry, style);
  return formatFigure(shown.value, measure, style, shown.twist);
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}
