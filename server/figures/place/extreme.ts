import type { ScannedFigure } from '../scan';
import { ClueWord } from './clue-words';
import type { Sentence } from './sentence';

/** A sentence's claim about a figure's rank among its values. */
export type Extreme = 'max' | 'min';

const HIGH =
  /\b(?:(?:highest|max(?:imum)?|peak(?:s|ed|ing)?|largest|greatest|biggest|warmest|hottest|longest|tallest|deepest|heaviest|strongest (?:wind|gust)s?|record)\b[^;:()]{0,60}|highs?\b(?! (?:ranging|rang|vary|between|and))[^;:(),]{0,40})$/i;
const LOW =
  /\b(?:(?:lowest|min(?:imum)?|smallest|coldest|coolest|shortest|lightest|fewest|weakest|cheapest|bottom(?:ed|ing)?)\b[^;:()]{0,60}|lows?\b(?! (?:ranging|rang|vary|between|and))[^;:(),]{0,40})$/i;
const RANGE_OPENS =
  /\b(?:rang(?:e[sd]?|ing)|runs? from|ran from|between|vary(?:ing)?|varie[sd]|fluctuat\w{1,3}|oscillat\w{1,3})\b[^,;()\d]{0,40}$/i;
/** "Highs ranging from 12 to 13": several highs, without naming one. */
const SEVERAL = /\b(?:high|low|peak|average|minimum|maximum)s\b[^,;]{0,12}$/i;
/** "With 7 cases, March has the highest count". */
const OPENS = /\bwith\s(?:an?\s[\p{L} ]{1,24}\sof\s|some\s)?[$€£¥]?$/iu;
const SUPERLATIVE_BEHIND =
  /^[^.;,\d]{0,16},[^.;]{0,60}\b(?:has|have|had|is|was|saw|shows?|recorded|reached|posted)\sthe\s(?:(highest|largest|greatest|biggest|warmest|hottest|longest|tallest|deepest|heaviest)|(lowest|smallest|coldest|coolest|shortest|lightest|fewest))\b/i;
/** Not the first of several: "followed by 4", "the second is 4". */
const NEXT = /\b(?:followed|next|second|third|then|after|ahead|than|except|but)\b/i;
/** Not an extreme: "relatively low", "remain high". */
const LOOSE =
  /\b(?:relatively|remain\w{0,3}|very|fairly|quite|generally|stay\w{0,3}|too|so|rather|is|are|was|were)\s{1,2}(?:high|low)\b/gi;
const LINK = /^[^\d,;()]{0,24}?\b(?:to|and)\s{0,2}$|^[^\d,;()\s]{0,8}\s?[-–]\s?$/i;

export interface ExtremeClaim {
  readonly extreme: Extreme;
  readonly range: boolean;
  /** The word of the claim, singular and in lower case: "high"; empty for a range. */
  readonly word: string;
}

/**
 * "from 3 to 10", "between 3 and 10" next to a word of range make the first the minimum and the
 * second the maximum.
 */
export function extremeOf(figure: ScannedFigure, sentence: Sentence): ExtremeClaim | null {
  if (!sentence.mayGive(ClueWord.extreme)) return null;
  const amounts = sentence.figures.filter(isAmount);
  const position = amounts.indexOf(figure);
  const previous = amounts[position - 1];
  const next = amounts[position + 1];
  const cut = (from: number, to: number): string =>
    sentence.text.slice(Math.max(0, from - sentence.from), Math.max(0, to - sentence.from));
  const before = cut(previous?.to ?? sentence.from, figure.from).slice(-REACH);
  if (
    next !== undefined &&
    rises(figure, next) &&
    LINK.test(cut(figure.to, next.from)) &&
    opensRange(before)
  )
    return { extreme: 'min', range: true, word: '' };
  if (previous !== undefined && LINK.test(before)) {
    const start = amounts[position - 2]?.to ?? sentence.from;
    if (!opensRange(cut(start, previous.from).slice(-REACH))) return null;
    return rises(previous, figure) ? { extreme: 'max', range: true, word: '' } : null;
  }
  // "136 min and an effort of 5": the unit of the figure before is not a minimum.
  const unit = previous?.unit ?? null;
  const own =
    unit !== null && before.trimStart().startsWith(unit)
      ? before.trimStart().slice(unit.length)
      : before;
  const text = own.replace(LOOSE, ' ').replace(/[($€£¥\s]{1,4}$/u, ' ');
  const high = HIGH.exec(text);
  const low = LOW.exec(text);
  if (high === null && low === null) return openedBy(figure, sentence, before);
  const isHigh = low === null || (high !== null && high.index > low.index);
  const match = isHigh ? high : low;
  return NEXT.test(match?.[0] ?? '') ? null : extremeClaim(isHigh ? 'max' : 'min', match);
}

const REACH = 100;

function openedBy(
  figure: ScannedFigure,
  { from, text }: Sentence,
  before: string,
): ExtremeClaim | null {
  const behind = OPENS.test(before)
    ? SUPERLATIVE_BEHIND.exec(text.slice(figure.to - from, figure.to - from + REACH))
    : null;
  if (behind === null) return null;
  const word = behind[1] ?? behind[2] ?? '';
  return {
    extreme: behind[1] === undefined ? 'min' : 'max',
    range: false,
    word: word.toLowerCase(),
  };
}

function extremeClaim(extreme: Extreme, match: RegExpExecArray | null): ExtremeClaim {
  const word = /^\w+/u.exec(match?.[0] ?? '')?.[0] ?? '';
  return { extreme, range: false, word: word.toLowerCase().replace(/s$/u, '') };
}

function opensRange(before: string): boolean {
  const opening = RANGE_OPENS.exec(before);
  return opening !== null && !SEVERAL.test(before.slice(0, opening.index));
}

function rises(a: ScannedFigure, b: ScannedFigure): boolean {
  return Number(a.value) <= Number(b.value);
}

function isAmount({ reading, unit }: ScannedFigure): boolean {
  return (
    reading.quantities.length > 0 &&
    (reading.year === null || unit !== null) &&
    reading.ordinalDay === null
  );
}
