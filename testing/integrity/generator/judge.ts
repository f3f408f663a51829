import { flaggedFigures } from '../flagged';
import { type Case, generate } from './generate';

/** A generated text. `flagged`: any figure of a correct text, the planted ones of a faulty text. */
export interface JudgedCase extends Case {
  readonly flagged: boolean;
}

export function judgeGenerated(seed: number, rounds: number): readonly JudgedCase[] {
  return generate(seed, rounds).map((each): JudgedCase => {
    const flagged = flaggedFigures(each.text, [each.source]);
    const hit = ({ start, end }: { start: number; end: number }): boolean =>
      flagged.some((found) => found.start < end && found.end > start);
    return {
      ...each,
      flagged: each.planted.length === 0 ? flagged.length > 0 : each.planted.some(hit),
    };
  });
}
