import { comparesScore, type ThresholdKey } from '../../thresholds';
import type { LabelledScore } from './history';
import type { LabelledHistogram } from './simulation';

/** Two steps of a slider of hundredths each, or of points. */
const binCount = 50;

/**
 * Counts labelled scores along the scale of a threshold; null if it is not compared with the score.
 * A bin includes its lower end, as a threshold does. Scores outside the scale count at its
 * ends. Pure.
 */
export function labelledHistogram(
  { key, min, max }: Pick<ThresholdKey, 'key' | 'min' | 'max'>,
  scores: readonly LabelledScore[],
  labelled: number,
): LabelledHistogram | null {
  if (!comparesScore(key)) return null;
  const edge = (at: number): number => Number((min + ((max - min) * at) / binCount).toFixed(4));
  const bins = Array.from({ length: binCount }, (_, at) => ({
    low: edge(at),
    high: edge(at + 1),
    good: 0,
    bad: 0,
  }));
  for (const { score, good } of scores) {
    // Four decimals, as compared; the small term is for products such as 0.58 * 50.
    const at = Math.floor(((Number(score.toFixed(4)) - min) / (max - min)) * binCount + 1e-9);
    const bin = bins[Math.min(binCount - 1, Math.max(0, at))];
    if (bin !== undefined) bin[good ? 'good' : 'bad'] += 1;
  }
  return { bins, unscored: labelled - scores.length };
}
