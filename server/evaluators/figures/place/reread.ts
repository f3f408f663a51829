import { shift } from '../decimal';
import type { Reading } from '../reading';
import type { ScannedFigure } from '../scan';
import type { Sentence } from './sentence';

/** Another way to read a figure that stands in no source as written. */
export interface Rereading {
  readonly reading: Reading;
  /** The unit that the name of its column must end in; null for any column. */
  readonly unit: string | null;
}

/** Words that say what a minus sign says: "fell by 12.5%", "a loss of $300", "12 below zero". */
const NEGATIVE_BEFORE =
  /\b(?:fell|falls?|fallen|falling|dropp?\w{0,3}|declin\w{1,3}|decreas\w{1,3}|shr[aiu]nk\w{0,3}|contract(?:ed|ion|s)|slipp?\w{0,3}|los[st]\w{0,3}|losing|loss(?:es)?|deficit|minus|negative|reduc\w{1,4}|down)\b[^.;:\d]{0,24}$/i;
const BELOW_ZERO = /^\s{0,2}(?:degrees\s{1,2}|[°º]\s?[CF]?\s{1,2})?below (?:zero|freezing)\b/i;

/** Units of answers, with the unit of names that source values are kept in, and the power of ten between the two. */
const SCALED: ReadonlyMap<string, readonly [unit: string, places: number]> = new Map([
  ...['s', 'sec', 'secs', 'second', 'seconds'].map((unit): [string, readonly [string, number]] => [unit, ['ms', 3]]),
  ['KB', ['bytes', 3]],
  ['kB', ['bytes', 3]],
  ['MB', ['bytes', 6]],
  ['GB', ['bytes', 9]],
  ['TB', ['bytes', 12]],
]);
const CENTS: readonly [unit: string, places: number] = ['cents', 2];

/** Other readings of a figure: the sign that words give it, and the smaller unit that a name may end in. */
export function rereadingsOf(figure: ScannedFigure, sentence: Sentence): readonly Rereading[] {
  const { reading } = figure;
  const [quantity] = reading.quantities;
  if (quantity === undefined) return [];
  const found: Rereading[] = [];
  const scaled = reading.currency === null ? SCALED.get(figure.unit ?? '') : CENTS;
  if (scaled !== undefined) {
    const quantities = reading.quantities.map((each) => shift(each, scaled[1]));
    found.push({ reading: { ...reading, quantities }, unit: scaled[0] });
  }
  if (!quantity.decimal.negative && quantity.decimal.digits !== '' && isNegative(figure, sentence)) {
    const quantities = reading.quantities.map((each) => ({ ...each, decimal: { ...each.decimal, negative: true } }));
    found.push({ reading: { ...reading, quantities }, unit: null });
  }
  return found;
}

function isNegative(figure: ScannedFigure, { from, text }: Sentence): boolean {
  const at = figure.from - from;
  return NEGATIVE_BEFORE.test(text.slice(Math.max(0, at - 40), at)) || BELOW_ZERO.test(text.slice(figure.to - from, figure.to - from + 30));
}
