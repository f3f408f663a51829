import type { ScannedFigure } from '../scan';
import type { Misattribution } from './attribute';
import type { ItemsOf } from './entity';
import { amountsOf } from './row-turns';
import type { Sentence } from './sentence';

/**
 * Words of change next to their two values: "rose from 9 to 7", "doubled from 4 to 5", "12, up from
 * 15". If both values are in the sources and contradict the word, the second is flagged, with both
 * as the reason.
 */
const WAYS =
  /\b(?:(increas(?:e[sd]?|ing)|rose|ris(?:es?|en|ing)|grew|grow(?:s|n|ing|th)?|climb(?:s|ed|ing)?|surg(?:e[sd]?|ing)|jump(?:s|ed|ing)?|improv(?:ed|ing)\supward|up|doubl(?:ed|ing)|tripl(?:ed|ing)|quadrupl(?:ed|ing))|(decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|fell|falls?|fallen|falling|drop(?:s|ped|ping)?|down|halv(?:ed|ing)|reduc(?:ed|tion)|shr[aiu]nk)|(unchanged))\b/gi;
const FACTORS: readonly (readonly [RegExp, low: number, high: number])[] = [
  [/^doubl/iu, 1.8, 2.5],
  [/^tripl/iu, 2.6, 3.6],
  [/^quadrupl/iu, 3.5, 4.7],
  [/^halv/iu, 0.4, 0.6],
];
const AT_LEAST = /\bmore than\s$/i;
const FROM =
  /\bfrom\s(?:(?:an?|the|its|around|about|approximately|roughly|just|nearly|only|over|under|almost)\s(?:[\p{L}-]+\s){0,3}?){0,2}[-−+]?[$€£¥]?$/iu;
const UP_FROM =
  /\b(up|down)\sfrom\s(?:(?:an?|the|around|about)\s(?:[\p{L}-]+\s){0,3}?)?[-−+]?[$€£¥]?$/iu;
const TO =
  /\bto\s(?:(?:an?|the|around|about|approximately|roughly|just|nearly|only|over|under|almost|reach)\s(?:[\p{L}-]+\s){0,3}?){0,2}[-−+]?[$€£¥]?$/iu;
/** Not a change of a value: a range, an order, or a sign in words. */
const OTHER =
  /\b(?:rang\w{1,3}|vari\w{1,3}|vary\w{0,3}|fluctuat\w{1,3}|between|rank\w{0,3}|place|position|number|no|not|neither|below zero|minus|negative|loss\w{0,2}|deficits?)\b/i;
const REACH = 90;

export function changeFault(
  figure: ScannedFigure,
  sentence: Sentence,
  itemsOf: ItemsOf,
  isName: (word: string) => boolean,
): Misattribution | null {
  const amounts = amountsOf(sentence.figures).filter(
    ({ reading, unit }) => reading.year === null || unit !== null,
  );
  const i = amounts.indexOf(figure);
  if (i === -1) return null;
  const first = amounts[i - 1];
  if (first === undefined || !isSameUnit(first, figure) || itemsOf(first).length === 0) return null;
  const why = faultOf(first, figure, amounts[i - 2]?.to ?? sentence.from, sentence, isName);
  return why === null ? null : { expected: null, why };
}

function faultOf(
  first: ScannedFigure,
  second: ScannedFigure,
  start: number,
  { from, text }: Sentence,
  isName: (word: string) => boolean,
): string | null {
  const opening = text.slice(
    Math.max(0, start - from, first.from - from - REACH),
    first.from - from,
  );
  const gap = text.slice(first.to - from, second.from - from);
  if (OTHER.test(opening) || OTHER.test(gap) || /[.;:)]/u.test(gap)) return null;
  const back = UP_FROM.exec(gap)?.[1]?.toLowerCase();
  if (back !== undefined)
    return contradicts(back, back === 'up', false, second, first)
      ? whyOf(back, second, first)
      : null;
  if (!FROM.test(opening) || !TO.test(gap)) return null;
  // "The climb went from 9 to 7" refers to `climb_m`.
  const matches = [...opening.matchAll(WAYS)].filter(([word]) => !isName(word.toLowerCase()));
  const last = matches.at(-1);
  if (last === undefined || matches.some((each) => isUp(each) !== isUp(last))) return null;
  const isAtLeast = AT_LEAST.test(opening.slice(0, last.index));
  return contradicts(last[0], isUp(last), isAtLeast, first, second)
    ? whyOf(last[0], first, second)
    : null;
}

function isUp(match: RegExpExecArray): boolean {
  return match[1] !== undefined;
}

function whyOf(word: string, first: ScannedFigure, second: ScannedFigure): string {
  return `the sentence says “${word}”, and the values go from ${first.text} to ${second.text}`;
}

function contradicts(
  word: string,
  up: boolean,
  isAtLeast: boolean,
  first: ScannedFigure,
  second: ScannedFigure,
): boolean {
  const [one, two] = [Number(first.value), Number(second.value)];
  if (!Number.isFinite(one) || !Number.isFinite(two)) return false;
  if (/^unchanged/iu.test(word)) return one !== two;
  const factor = FACTORS.find(([pattern]) => pattern.test(word));
  if (factor !== undefined && one > 0) {
    const [, low, high] = factor;
    return two / one < low || (!isAtLeast && two / one > high);
  }
  return up ? two <= one : two >= one;
}

function isSameUnit(one: ScannedFigure, other: ScannedFigure): boolean {
  return one.unit === other.unit || one.unit === null || other.unit === null;
}
