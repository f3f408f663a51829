import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Elsewhere } from './attribute';
import type { Column } from './column';
import type { Grid } from './grid';
import type { Sentence } from './sentence';
import { isNegativeChange } from './sign-words';
import { clashingUnit } from './unit-of-name';

/** Names of what rises and falls, by their stems. */
const CHANGES = new Set('change growth delta difference diff trend'.split(' '));
/** Values of one column that are looked through. */
const VALUES_MAX = 2_000;

const signed = new WeakMap<Column, boolean>();

/** What the unit of a figure or its direction says against every place of its value, or null. */
export function contradiction(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  unit: string | null,
  grid: Grid,
): Elsewhere | null {
  const clashes = items.map((item) => clashingUnit(unit, grid.columnOf(item)?.unit ?? null));
  const [other] = clashes;
  if (other != null && !clashes.includes(null)) {
    return { expected: null, why: `the source gives this value in ${other}, not in ${unit ?? ''}` };
  }
  if (!hasOtherSign(figure, sentence, items, grid)) return null;
  return {
    expected: null,
    why: 'the value is a rise in the source, and the sentence speaks of a fall',
  };
}

/** "Fell by 4%" where the value is a rise of 4%: changes bear their sign in the source. */
function hasOtherSign(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  grid: Grid,
): boolean {
  if (figure.value.startsWith('-') || !isNegativeChange(figure, sentence)) return false;
  return items.every((item) => {
    const column = grid.columnOf(item);
    return (
      column !== null && item.reading.quantities[0]?.decimal.negative === false && isSigned(column)
    );
  });
}

function isSigned(column: Column): boolean {
  let known = signed.get(column);
  if (known === undefined) {
    known =
      column.ownStems.some((stem) => CHANGES.has(stem)) ||
      column.find(VALUES_MAX, (at) => column.number(at) < 0) !== null;
    signed.set(column, known);
  }
  return known;
}
