import type { DeriveContext, PlacedFigure } from './derivation';

/** Maximum characters of the sentence on either side, and of the text above it. */
const SENTENCE_REACH = 300;
const ABOVE_REACH = 1_500;
/** Maximum figures on either side. */
const FIGURES_MAX = 16;

const SENTENCE_END = /[.!?](?=\s|$)|\n/u;

/**
 * The text around the figure at index `at` of an answer's figures, which are in order. The cost
 * does not grow with the length of the answer.
 */
export function contextOf(
  answer: string,
  placed: readonly PlacedFigure[],
  at: number,
): DeriveContext {
  const figure = placed[at]?.figure;
  if (figure === undefined) return { before: '', after: '', sentence: [], above: [] };
  const lead = answer.slice(Math.max(0, figure.from - SENTENCE_REACH), figure.from);
  const before = lead.slice(lastEnd(lead));
  const follow = answer.slice(figure.to, figure.to + SENTENCE_REACH);
  const end = SENTENCE_END.exec(follow)?.index ?? follow.length;
  const [from, to] = [figure.from - before.length, figure.to + end];
  const earlier = placed.slice(Math.max(0, at - 2 * FIGURES_MAX), at);
  const later = placed.slice(at + 1, at + 1 + FIGURES_MAX);
  return {
    before,
    after: follow.slice(0, end),
    sentence: [
      ...earlier.filter((each) => each.figure.from >= from),
      ...later.filter((each) => each.figure.to <= to),
    ],
    above: earlier
      .filter((each) => each.figure.to <= from && each.figure.from >= from - ABOVE_REACH)
      .slice(-FIGURES_MAX),
  };
}

/** The start of the last sentence of a text. */
function lastEnd(text: string): number {
  let begin = 0;
  for (const { index } of text.matchAll(/[.!?](?=\s)|\n/gu)) begin = index + 1;
  return begin;
}
