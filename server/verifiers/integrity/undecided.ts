import { splitClaims } from '../../evaluators/claims';
import { parseEnvelope, scanFigures } from '../../figures';
import { ANSWER_CHARS_MAX } from './plan';
import type { IntegritySubject } from './subject';

/**
 * A statement of the answer that the figure check cannot decide. Positions are code points of the
 * answer, end exclusive.
 */
interface UndecidedStatement {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Undecided {
  readonly answer: string;
  readonly statements: readonly UndecidedStatement[];
}

/**
 * Words for a trend or a rank: the figure next to them may be right while the statement is wrong.
 */
const TREND = new RegExp(
  `\\b(?:${[
    'rose|rises?|rising|risen|fell|falls?|falling|fallen|drop(?:s|ped|ping)?|grew|grows?|growing|grown|growth|gain(?:s|ed|ing)?|lost|loses?',
    '(?:in|de)creas(?:es?|ed|ing)|declin(?:es?|ed|ing)|climb(?:s|ed|ing)?|jump(?:s|ed|ing)?|surg(?:es?|ed|ing)|plung(?:es?|ed|ing)',
    'doubl(?:es?|ed|ing)|tripl(?:es?|ed|ing)|quadrupl(?:es?|ed|ing)|halv(?:es?|ed|ing)|twice|improv(?:es?|ed|ing)|worsen(?:s|ed|ing)?',
    'high(?:er|est)|low(?:er|est)|larg(?:er|est)|small(?:er|est)|fast(?:er|est)|slow(?:er|est)|warm(?:er|est)|cold(?:er|est)',
    'more|less|fewer|most|least|best|worst|better|worse|peak(?:s|ed|ing)?|record|trend(?:s|ed|ing)?|steady|stable|unchanged|than|since',
    'exceed(?:s|ed|ing)?|outpac(?:es?|ed|ing)|overt(?:akes?|ook|aken)',
  ].join('|')})\\b`,
  'iu',
);

/**
 * Statements with a trend word, and those without a figure: the figure check cannot decide them.
 * Linear in the answer.
 */
export function undecidedStatements({
  envelope,
  output,
}: Pick<IntegritySubject, 'envelope' | 'output'>): Undecided {
  const answer = parseEnvelope(envelope ?? output)?.answer ?? output;
  if (answer.length > ANSWER_CHARS_MAX) return { answer, statements: [] };
  const figures = scanFigures(answer).map(({ from, to }) => ({ from, to }));
  const left: { text: string; from: number; to: number }[] = [];
  let next = 0;
  for (const { text, start, end } of splitClaims(answer)) {
    while (next < figures.length && (figures[next]?.to ?? 0) <= start) next++;
    const hasFigure = next < figures.length && (figures[next]?.from ?? end) < end;
    if (!hasFigure || TREND.test(text)) left.push({ text, from: start, to: end });
  }
  return { answer, statements: placed(answer, left) };
}

/** Converts ascending UTF-16 indices to code points. */
function placed(
  answer: string,
  left: readonly { text: string; from: number; to: number }[],
): UndecidedStatement[] {
  let [unit, point] = [0, 0];
  const pointAt = (to: number): number => {
    while (unit < to) {
      unit += (answer.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
      point++;
    }
    return point;
  };
  return left.map(({ text, from, to }) => ({ text, start: pointAt(from), end: pointAt(to) }));
}
