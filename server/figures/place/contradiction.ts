import type { ScannedFigure } from '../scan';
import type { SourceItem } from '../source-items';
import type { Misattribution } from './attribute';
import type { NamedColumn } from './column';
import type { Grid } from './grid';
import type { Sentence } from './sentence';
import { isNegativeChange } from './sign-words';
import { clashingRatio, clashingUnit } from './unit-of-name';

/** Names of quantities that rise and fall, by their stems. */
const CHANGES = new Set('change growth delta difference diff trend'.split(' '));
/** Maximum values of one column that are compared. */
const VALUES_MAX = 2_000;

const signed = new WeakMap<NamedColumn, boolean>();

/** A contradiction between the figure's unit or direction and every place of its value, or null. */
export function contradiction(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  unit: string | null,
  grid: Grid,
): Misattribution | null {
  const clashes = items.map((item) => clashingUnit(unit, grid.columnOf(item)?.unit ?? null));
  const [other] = clashes;
  if (other != null && !clashes.includes(null)) {
    return { expected: null, why: `the source gives this value in ${other}, not in ${unit ?? ''}` };
  }
  const ratio = RATIO.exec(sentence.text.slice(figure.to - sentence.from).slice(0, 24))?.[1];
  const shown = ratio ?? RATIO.exec(figure.text.slice(figure.text.search(/[^\d.,\s]/u)))?.[1];
  const neighbourUnits = shown === undefined ? [] : items.map((item) => neighbourUnit(item, grid));
  const neighbourFactors = neighbourUnits.map((own) =>
    own === null ? null : clashingRatio(shown ?? '', own),
  );
  if (neighbourFactors[0] != null && !neighbourFactors.includes(null))
    return {
      expected: null,
      why: `the source gives this value in ${neighbourFactors[0]}, not in ${shown ?? ''}`,
    };
  if (isPast(figure, sentence, items, grid))
    return { expected: null, why: 'the value is a previous one in the source' };
  if (isPresent(figure, sentence, items, grid))
    return { expected: null, why: 'the sentence speaks of a previous value, which is another one' };
  if (!hasOtherSign(figure, sentence, items, grid)) return null;
  return {
    expected: null,
    why: 'the value is a rise in the source, and the sentence speaks of a fall',
  };
}

const RATIO = /^\s?([\p{L}µμ%\d^]{1,8}\/\p{L}{1,4})(?![\p{L}\d])/u;

/** The value of the key `unit` in the object that contains a value. */
function neighbourUnit(item: SourceItem, grid: Grid): string | null {
  const { table } = grid.content;
  if (table === null) return null;
  const key = table.keys.find('unit');
  for (
    let label = table.firstLabel(table.parentOf(item.row));
    label !== -1;
    label = table.extraOf(label)
  )
    if (table.stepOf(label) === ~key) return table.textOf(label);
  return null;
}

/** Names of previous values, and words for them. */
const PAST = new Set('previous prior former earlier old prev'.split(' '));
const REFERS_TO_PAST =
  /\b(?:previous\w*|prior|before|earlier|former\w*|last|past|old|was|were|had|from|after|since|compar\w+|versus|vs|than|against|change\w*|rose|fell|grew|increas\w+|decreas\w+|up|down|ago|histor\w+|initial\w*|baseline|then|used to)\b/i;

/** "Potassium is 4.6" if 4.6 is the previous value, and the clause is about now. */
function isPast(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  grid: Grid,
): boolean {
  if (!items.every((item) => grid.columnOf(item)?.own.some((part) => PAST.has(part)) === true))
    return false;
  const at = figure.from - sentence.from;
  const from = sentence.text.lastIndexOf(';', at) + 1;
  const end = sentence.text.indexOf(';', at);
  return !REFERS_TO_PAST.test(sentence.text.slice(from, end === -1 ? undefined : end));
}

const IN_PAST = /^[^,;.\d]{0,16}\b(?:before|previously|earlier)(?=\s*[.;,)]|\s*$)/iu;
const OF_PAST =
  /\b(?:previously|formerly|(?:the )?(?:previous|prior) (?:value|one|result|reading)s?(?: was| of| were)?:?)\s*$/iu;

/** "It was 94 before" if 94 is the current value: the source has a column for the previous one. */
function isPresent(
  figure: ScannedFigure,
  sentence: Sentence,
  items: readonly SourceItem[],
  grid: Grid,
): boolean {
  const at = figure.from - sentence.from;
  const isOf =
    IN_PAST.test(sentence.text.slice(figure.to - sentence.from, figure.to - sentence.from + 40)) ||
    OF_PAST.test(sentence.text.slice(Math.max(0, at - 40), at));
  const isPastColumn = (column: NamedColumn | null): boolean =>
    column?.own.some((part) => PAST.has(part)) === true;
  return (
    isOf &&
    grid.all().some(isPastColumn) &&
    items.every((item) => !isPastColumn(grid.columnOf(item)))
  );
}

/** "Fell by 4%" if the value is a rise of 4%: changes have their sign in the source. */
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

function isSigned(column: NamedColumn): boolean {
  let known = signed.get(column);
  if (known === undefined) {
    known =
      column.ownStems.some((stem) => CHANGES.has(stem)) ||
      column.find(VALUES_MAX, (at) => column.number(at) < 0) !== null;
    signed.set(column, known);
  }
  return known;
}
