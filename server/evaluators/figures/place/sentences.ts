import type { ScannedFigure } from '../scan';
import { Sentence } from './sentence';

const BOUNDARY = /[.!?]["'”’)\]*]{0,3}(?=\s)|\n/g;
/** A point behind these ends no sentence. */
const SHORT = /(?:(?:^|[\s(])(?:[A-Za-z]|approx|avg|ca|dept|e\.g|est|i\.e|inc|no|st|vs|dr|mr|mrs|ms)|^\s*\d{1,3})$/i;
/** A table or a list without a point is cut here; nothing that far away says what a figure means. */
const SENTENCE_MAX = 1_000;

/** The sentences that hold figures, in order. Linear in the length of the answer. */
export function sentencesOf(answer: string, figures: readonly ScannedFigure[]): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let next = 0;
  let from = 0;
  const take = (to: number): void => {
    const own: ScannedFigure[] = [];
    for (let figure = figures[next]; figure !== undefined && figure.from < to; figure = figures[++next]) own.push(figure);
    if (own.length > 0) sentences.push(new Sentence(from, to, answer.slice(from, to), own));
    from = to;
  };
  const close = (to: number): void => {
    while (to - from > SENTENCE_MAX) {
      const cut = from + SENTENCE_MAX;
      const across = figures.slice(next, next + SENTENCE_MAX).find((figure) => figure.from < cut && figure.to > cut);
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
      (match[0].startsWith('.') && (SHORT.test(answer.slice(Math.max(from, match.index - 8), match.index)) || goesOn(answer, to)))
    ) {
      if (to - from < SENTENCE_MAX) continue;
    }
    close(to);
  }
  close(answer.length);
  return sentences;
}

/** "2 p.m. on Friday": a small letter follows. */
function goesOn(answer: string, at: number): boolean {
  return /^\s{1,3}\p{Ll}/u.test(answer.slice(at, at + 4));
}
