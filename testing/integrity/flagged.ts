import type { Source } from '../../server/domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '../../server/figures';

type Flagged = Pick<ReturnType<typeof figureOf>, 'start' | 'end' | 'status' | 'explanation'>;

/**
 * The figures that the integrity verifier would flag in an answer without an envelope. Correct
 * calculations are right in both sets, so they count as sourced here; the product's default is
 * literal (INT-19).
 */
export function flaggedFigures(
  text: string,
  sources: readonly Source[],
  derivedCounts = true,
): readonly Flagged[] {
  const index = new SourceIndex(sources);
  return traceFigures(scanFigures(text, sources), text, index)
    .map((trace) => figureOf(trace, index, derivedCounts))
    .filter(({ sourced }) => !sourced);
}
