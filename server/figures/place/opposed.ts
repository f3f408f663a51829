/**
 * Words next to a number that state its direction, or on which side of it a value is. If the answer
 * and the source use opposite words for the same number, the answer is wrong: "35% decrease" for a
 * 35% increase, "fewer than 100" for over 100.
 */
type Side = 'up' | 'down';

const UNITS =
  '(?:%|percent|percentage points?|points?|basis points?|bps|million|billion|thousand)?';
const LINK = '(?:\\s(?:by|of|to|up to|about|around|over|nearly|another|a|an|approximately)){0,3}';
const MONEY = '[-−+]?[$€£¥]?$';
const UP =
  'increas(?:e[sd]?|ing)|rose|ris(?:es?|en|ing)|gr[eo]w(?:s|n|ing|th)?|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|gain(?:s|ed|ing)?|boost(?:s|ed|ing)?|improv(?:e[sd]?|ing|ements?)|hikes?|rais(?:e[sd]?|ing)|sav(?:e[sd]?|ing|ings)';
const DOWN =
  'decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|fell|fall(?:s|en|ing)?|drop(?:s|ped|ping)?|reduc(?:e[sd]?|ing|tions?)|los(?:e[sd]?|ing|s|ses|t)|shr[aiu]nk(?:s|ing)?|cut(?:s|ting)?|lower(?:s|ed|ing)?|dip(?:s|ped|ping)?|wast(?:e[sd]?|ing)';
const BEFORE = new RegExp(`\\b(?:(${UP}|up)|(${DOWN}|down))${LINK}\\s${MONEY}`, 'iu');
const BEHIND = new RegExp(
  `^\\s?${UNITS}\\s?(?:of\\s)?(?:\\p{L}{1,12}-(?:over|on)-\\p{L}{1,12}\\s)?(?:(${UP}|higher|up)|(${DOWN}|down|less|fewer))\\b`,
  'iu',
);
const OVER =
  /\b(?:over|more than|above|exceed(?:s|ed|ing)?|greater than|higher than|in excess of|surpass(?:es|ed|ing)?|upwards of|at least)\s[$€£¥]?$/iu;
const UNDER =
  /\b(?:under|less than|fewer than|below|lower than|at most|no more than|up to|short of)\s[$€£¥]?$/iu;
const NEGATED = /\b(?:no|not|never|without|cannot)\b[^.,;]{0,20}$|n['’]t\s[^.,;]{0,20}$/iu;
const REACH = 40;

/** The words of two texts for the same number, if they are opposite; null if they are not. */
export function opposedWords(
  answer: string,
  figure: { readonly from: number; readonly to: number },
  source: string,
  places: readonly { readonly from: number; readonly to: number }[],
): string | null {
  return (
    opposed(
      levelAt(answer, figure),
      places.map((place) => levelAt(source, place)),
    ) ??
    opposed(
      changeAt(answer, figure),
      places.map((place) => changeAt(source, place)),
    )
  );
}

interface Word {
  readonly side: Side;
  readonly word: string;
}

function opposed(own: Word | null, others: readonly (Word | null)[]): string | null {
  const [first] = others;
  if (own === null || first == null) return null;
  return others.every((other) => other !== null && other.side !== own.side) ? first.word : null;
}

type Place = { readonly from: number; readonly to: number };

/** "Over 100", "fewer than 100". */
function levelAt(text: string, { from }: Place): Word | null {
  const before = text.slice(Math.max(0, from - REACH), from);
  const [over, under] = [OVER.exec(before), UNDER.exec(before)];
  const match = over ?? under;
  if (match === null || NEGATED.test(before.slice(0, match.index))) return null;
  return { side: over === null ? 'down' : 'up', word: match[0].trim() };
}

/** "Rose by 35%", "a 35% increase". */
function changeAt(text: string, { from, to }: Place): Word | null {
  const before = text.slice(Math.max(0, from - REACH), from);
  const behind = BEHIND.exec(text.slice(to, to + REACH));
  const match = behind ?? BEFORE.exec(before);
  if (match === null || NEGATED.test(behind === null ? before.slice(0, match.index) : before))
    return null;
  return {
    side: match[1] === undefined ? 'down' : 'up',
    word: (match[1] ?? match[2] ?? '').trim(),
  };
}
