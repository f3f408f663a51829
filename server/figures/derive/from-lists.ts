import { plainDecimal } from '../decimal';
import type { ScannedFigure } from '../scan';
import type { Cues } from './cues';
import type { Derivation } from './derivation';
import type { List } from './lists';
import { countNamed } from './words';

/** Words for the elements of any list. */
const ELEMENTS = 'row entry item record result element point observation value'.split(' ');

/** Maximum length of a counted list. */
const LENGTH_DIGITS_MAX = 7;

/**
 * Whether a figure can be a count: whole, plain, and without a unit other than the name of the
 * counted things.
 */
export function isCount({ kind, reading, scale, text }: ScannedFigure): boolean {
  const decimal = reading.quantities[0]?.decimal;
  if (
    decimal === undefined ||
    kind !== 'number' ||
    scale !== 0 ||
    reading.ordinalDay !== null ||
    !/^[\d,]+$/u.test(text)
  )
    return false;
  return (
    !decimal.negative && decimal.exponent >= 0 && plainDecimal(decimal).length <= LENGTH_DIGITS_MAX
  );
}

/**
 * The length of a list that the words after the figure name: "3 hosts" next to `hosts` of three
 * (INT-19).
 */
export function fromLists(
  figure: ScannedFigure,
  { counted }: Cues,
  lists: readonly List[],
): Derivation | null {
  const length = Number(figure.value);
  for (const list of lists) {
    if (list.length !== length || list.length === 0) continue;
    if (countNamed(list.words, counted) === 0 && !(list.whole && countNamed(ELEMENTS, counted) > 0))
      continue;
    // Elements are counted, and an element may have no value.
    return { operation: 'count', formula: `count(${list.name}) = ${list.length}`, operands: [] };
  }
  return null;
}
