import { readNumberTokens } from '../scan';
import { isClock, isMoment } from './iso-moment';
import { PlainNumbers } from './plain-numbers';
import { decodeString, type JsonTable, RowKind } from './table';
import { jsonUnits } from './units';

/** The range of a string, and its properties found during the walk. */
export interface StringPlace {
  /** It contains an escape. */
  escaped: boolean;
  /** It contains an ASCII digit as written. */
  digits: boolean;
  /** It contains units beyond ASCII. */
  wide: boolean;
  parent: number;
  step: number;
  /** It is a key, whose figures are not values. */
  key: boolean;
}

const HAS_DIGIT = /[0-9\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/;
const LABEL_LENGTH_MAX = 40;
const LEAF = { markdown: false, numbering: false };
const NONE = -1;

/**
 * Adds a string's figures to the table, and the string itself if it is short enough to name its
 * row. `from` and `to` are its range in the table's text, without quotes; a key is identified by
 * its step.
 * @returns the unescaped text, null if it has no escapes, false if they are invalid
 */
export function readString(
  table: JsonTable,
  from: number,
  to: number,
  place: StringPlace,
): string | null | false {
  if (place.key) {
    addTokens(table, table.keys.textOf(~place.step), place);
    return null;
  }
  if (place.escaped || place.wide) return readWide(table, from, to, place);
  if (place.digits) {
    if (isMoment(table.units, from, to)) {
      table.addMoment(from, to, place.parent, place.step, RowKind.moment);
      return null;
    }
    if (isClock(table.units, from, to))
      table.addMoment(from, to, place.parent, place.step, RowKind.clock);
    else if (!plain.read(table.units, from, to))
      addTokens(table, table.text.slice(from, to), place);
    else for (let i = 0; i < plain.count; i++) addPlain(table, from, i, place);
  }
  addLabel(table, from, to, to - from, place);
  return null;
}

const plain = new PlainNumbers();

function addPlain(table: JsonTable, base: number, i: number, { parent, step }: StringPlace): void {
  table.add(
    plain.from[i] ?? 0,
    plain.to[i] ?? 0,
    parent,
    step,
    RowKind.plain,
    plain.values[i] ?? 0,
    base,
  );
}

function readWide(
  table: JsonTable,
  from: number,
  to: number,
  place: StringPlace,
): string | null | false {
  const written = table.text.slice(from, to);
  const text = place.escaped ? decodeString(`"${written}"`) : written;
  if (text === null) return false;
  const dated = place.escaped && isMoment(jsonUnits(text), 0, text.length);
  if (HAS_DIGIT.test(text)) addTokens(table, text, place);
  if (!dated) addLabel(table, from, to, text.length, place);
  return place.escaped ? text : null;
}

/** Reads the figures of a JSON text that is one string. */
export function readAllStrings(table: JsonTable): void {
  if (table.whole !== null)
    addTokens(table, table.whole, {
      escaped: false,
      digits: true,
      wide: true,
      parent: NONE,
      step: 0,
      key: false,
    });
}

function addTokens(table: JsonTable, text: string, { parent, step, key }: StringPlace): void {
  if (!HAS_DIGIT.test(text)) return;
  for (const token of readNumberTokens(text, LEAF)) table.addToken(token, text, parent, step, key);
}

function addLabel(
  table: JsonTable,
  from: number,
  to: number,
  length: number,
  { parent, step, escaped, wide }: StringPlace,
): void {
  if (length > 1 && length <= LABEL_LENGTH_MAX && parent !== NONE)
    table.addLabel(from, to, parent, step, escaped || wide);
}
