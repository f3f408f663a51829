import { currencyInName } from '../json/keys';
import { remembered } from '../remembered';
import type { ScannedFigure } from '../scan';
import type { SourceContent, SourceItem } from '../source-items';
import { currencyCodes, units, unitWords } from '../vocabulary';
import { unitInName, unitKey } from './unit-of-name';
import { nameParts, stemOf } from './words';

/**
 * Parts of names that do not describe the measured quantity, and those that change its meaning in
 * aggregates.
 */
const GENERIC = new Set(
  'list main data value values item items result results row rows info detail details all records entries body content payload response maximum minimum average total sum'.split(
    ' ',
  ),
);

const YEAR = /^\W*(?:FY|CY|year)?[\s_-]?((?:19|20)\d\d)\W*$/iu;

/**
 * The values under one name: the same key of sibling objects, or a column of a table. Items are
 * created on demand.
 */
export class NamedColumn {
  /** Rows of the source, or indexes of its values in plain text; in order. */
  readonly rows: number[] = [];
  /** Words of its own key. */
  readonly own: readonly string[];
  /** Stems of the words that describe the measured quantity. */
  readonly ownStems: readonly string[];
  readonly aboveStems: readonly string[];
  /** `ownStems` without a unit at the end, which does not name the quantity. */
  readonly namingStems: readonly string[];
  readonly naming: number;
  /** The common form of its unit's spellings, or null. */
  readonly unitKey: string | null;

  /** The unit in its name, or null. */
  readonly unit: string | null;
  /** The year in its name: `FY2023`, "2023"; or null. */
  readonly year: string | null;

  /** @param above words of the keys above its own; `name` is its key as written */
  constructor(
    readonly content: SourceContent,
    above: readonly string[],
    name: string,
  ) {
    const parsedName = readName(name);
    this.own = parsedName.own;
    this.ownStems = parsedName.ownStems;
    this.namingStems = parsedName.namingStems;
    this.naming = parsedName.namingStems.length;
    this.unitKey = parsedName.unitKey;
    this.unit = parsedName.unit;
    this.year = parsedName.year;
    this.aboveStems = stemsOf(above);
  }

  get size(): number {
    return this.rows.length;
  }

  item(position: number): SourceItem {
    return this.content.itemAt(this.rows[position] ?? 0);
  }

  /** A value as a number, NaN if it is not written as one. */
  number(position: number): number {
    const row = this.rows[position] ?? 0;
    return this.content.numberAt(row);
  }

  /** The index of a row in the column, or -1. */
  positionOf(row: number): number {
    let from = 0;
    for (let to = this.rows.length; from < to; ) {
      const middle = (from + to) >> 1;
      if ((this.rows[middle] ?? 0) < row) from = middle + 1;
      else to = middle;
    }
    return this.rows[from] === row ? from : -1;
  }

  /** The first value, of the first `most`, that passes a test. */
  find(max: number, test: (position: number) => boolean): SourceItem | null {
    const end = Math.min(max, this.size);
    for (let position = 0; position < end; position++)
      if (test(position)) return this.item(position);
    return null;
  }
}

type NameOfColumn = Pick<
  NamedColumn,
  'own' | 'ownStems' | 'namingStems' | 'unitKey' | 'unit' | 'year'
>;

/** The words, unit and year of a name: the same for every source that has it. */
const readName = remembered((name): NameOfColumn => {
  const own = nameParts(name);
  const unit = unitInName(name);
  const ownStems = stemsOf(own);
  const last = own.at(-1) ?? '';
  const isUnit =
    unit !== null ||
    units.has(last) ||
    unitWords.has(last) ||
    currencyCodes.has(last.toUpperCase()) ||
    last === 'pct';
  const endsInUnit = ownStems.length > 1 && isUnit && own.length > 1;
  return {
    own,
    ownStems,
    namingStems: endsInUnit ? ownStems.slice(0, -1) : ownStems,
    unitKey: keyOfName(name, unit) ?? (isUnit && last !== '' ? unitKey(last) : null),
    unit,
    year: YEAR.exec(name)?.[1] ?? null,
  };
});

function stemsOf(words: readonly string[]): readonly string[] {
  return words.map(stemOf).filter((stem) => !GENERIC.has(stem));
}

function keyOfName(name: string, unit: string | null): string | null {
  if (unit !== null) return unitKey(unit);
  if (/%|\bper ?cent/iu.test(name)) return '%';
  return currencyInName(name)?.toLowerCase() ?? null;
}

/**
 * A round number next to a column of finer ones is too weak a sign that it came from another
 * column.
 */
export function isCoarser(figure: ScannedFigure, columns: readonly NamedColumn[]): boolean {
  const shown = figure.reading.quantities[0];
  return (
    shown !== undefined &&
    shown.quantum >= 0 &&
    columns.some((column) => (column.item(0).reading.quantities[0]?.quantum ?? 0) < 0)
  );
}
