import type { ScannedFigure } from '../scan';
import { Sentence } from './sentence';

const BOUNDARY = /[.!?]["'”’)\]*]{0,3}(?=\s)|\n/g;
/** A period after these does not end a sentence. */
const SHORT =
  /(?:(?:^|[\s(])(?:[A-Za-z]|approx|avg|ca|dept|e\.g|est|i\.e|inc|no|st|vs|dr|mr|mrs|ms)|^\s*\d{1,3})$/i;
const HAS_CONTENT = /[\p{L}\p{N}]/u;
/** An item of a list continues its heading. */
const ITEM = /^\s*(?:[-*•+]|\d{1,3}[.)])\s/;
const HEADING = /^\s*(?:#|\*\*|__)|:[*_\s]*$/;
/**
 * A table or a list without a full stop is cut here: text farther away does not affect a figure's
 * meaning.
 */
const SENTENCE_MAX = 1_000;

/** The sentences of an answer, in order. Linear in the length of the answer. */
export function sentencesOf(
  answer: string,
  figures: readonly ScannedFigure[],
): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let next = 0;
  let from = 0;
  let blank = false;
  let headed = false;
  const take = (to: number): void => {
    const own: ScannedFigure[] = [];
    for (
      let figure = figures[next];
      figure !== undefined && figure.from < to;
      figure = figures[++next]
    )
      own.push(figure);
    const text = answer.slice(from, to);
    if (own.length === 0 && !HAS_CONTENT.test(text)) {
      if (text.trim() === '') blank = true;
    } else {
      const opens = blank && !ITEM.test(text) && !headed;
      const last = sentences.at(-1) ?? null;
      const previous = opens || text.startsWith('\n') ? null : last;
      sentences.push(new Sentence(from, to, text, own, opens, previous, headOf(text, previous)));
      blank = false;
      headed = HEADING.test(text);
    }
    from = to;
  };
  const close = (to: number): void => {
    while (to - from > SENTENCE_MAX) {
      const cut = from + SENTENCE_MAX;
      const across = figures
        .slice(next, next + SENTENCE_MAX)
        .find((figure) => figure.from < cut && figure.to > cut);
      take(Math.min(to, across?.to ?? cut));
    }
    take(to);
  };
  BOUNDARY.lastIndex = 0;
  for (let match = BOUNDARY.exec(answer); match !== null; match = BOUNDARY.exec(answer)) {
    const to = match.index + match[0].length;
    const inside = (figures[next]?.to ?? 0) > to && (figures[next]?.from ?? Infinity) < to;
    if (
      inside ||
      (match[0].startsWith('.') &&
        (SHORT.test(answer.slice(Math.max(from, match.index - 8), match.index)) ||
          continuesPrevious(answer, to)))
    ) {
      if (to - from < SENTENCE_MAX) continue;
    }
    close(to);
  }
  close(answer.length);
  return sentences;
}

function headOf(text: string, previous: Sentence | null): Sentence | null {
  if (previous === null) return null;
  if (text.trimStart().startsWith('|'))
    return previous.head ?? (previous.text.trimStart().startsWith('|') ? previous : null);
  if (!ITEM.test(text)) return null;
  return ITEM.test(previous.text) ? previous.head : HEADING.test(previous.text) ? previous : null;
}

/** "2 p.m. on Friday": a small letter follows. */
function continuesPrevious(answer: string, at: number): boolean {
  return /^\s{1,3}\p{Ll}/u.test(answer.slice(at, at + 4));
}
