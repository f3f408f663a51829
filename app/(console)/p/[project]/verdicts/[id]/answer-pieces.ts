import { type Figure, utf16Index } from '@/server/domain';

/** A piece of the answer; `figure` is an index into the figures, or null for text between them. */
export interface Piece {
  readonly text: string;
  readonly figure: number | null;
}

/** Splits an answer at its figures. Positions are code points (api.md), strings here are UTF-16. */
export function splitAtFigures(answer: string, figures: readonly Figure[]): Piece[] {
  const order = figures
    .map((figure, index) => ({ figure, index }))
    .sort((a, b) => a.figure.start - b.figure.start);
  const pieces: Piece[] = [];
  let unit = 0;
  let point = 0;
  // Moves forward only: a long answer with many figures is scanned once.
  const advance = (toPoint: number) => {
    const from = unit;
    unit += utf16Index(answer.slice(unit), toPoint - point);
    point = toPoint;
    return answer.slice(from, unit);
  };
  for (const { figure, index } of order) {
    if (figure.start < point) continue;
    const between = advance(figure.start);
    if (between !== '') pieces.push({ text: between, figure: null });
    const text = advance(figure.end);
    if (text !== '') pieces.push({ text, figure: index });
  }
  if (unit < answer.length) pieces.push({ text: answer.slice(unit), figure: null });
  return pieces;
}

function fits(answer: string, figures: readonly Figure[]): boolean {
  const texts = new Map(splitAtFigures(answer, figures).map((piece) => [piece.figure, piece.text]));
  return figures.every((figure, index) => texts.get(index) === figure.text);
}

/**
 * The text that the figures' positions refer to: the output as sent, or the answer inside it if the
 * output is a structured envelope. Null when neither has the figures at their positions; nothing is
 * then highlighted.
 */
export function answerOf(output: string, figures: readonly Figure[]): string | null {
  if (fits(output, figures)) return output;
  try {
    const value: unknown = JSON.parse(output);
    if (
      typeof value === 'object' &&
      value !== null &&
      'answer' in value &&
      typeof value.answer === 'string'
    ) {
      return fits(value.answer, figures) ? value.answer : null;
    }
  } catch {
    return null;
  }
  return null;
}
