import type { ModelScores } from '@/app/_trpc/outputs';
import { DayPoints, PlotAxes, xOf, yOf } from './plot-axes';
import { scoreText } from './spread-words';

interface ScoreLineProps {
  model: string;
  verifier: string;
  /** Null: it has no score by this verifier. */
  scores: ModelScores | null;
  /** End of the scale, the same for every model. */
  most: number;
  first: string;
  last: string;
}

/**
 * The middle score of one model by day: half of the scores are at most that. Hollow where fewer
 * than 20 stand behind a day.
 */
export function ScoreLine({ model, verifier, scores, most, first, last }: ScoreLineProps) {
  const days = scores?.days ?? [];
  const placed = days.flatMap(({ day, spread }, index) => {
    if (spread?.p50 == null) return [];
    const y = yOf(Math.min(1, Math.max(0, spread.p50 / most)));
    const text = `${day}: middle score ${scoreText(spread.p50)} of ${spread.n.toLocaleString('en')}`;
    return [{ x: xOf(index, days.length), y, n: spread.n, day, text }];
  });
  const n = placed.reduce((sum, each) => sum + each.n, 0);
  return (
    <PlotAxes
      label={`Middle score of ${model} by ${verifier} by day, of ${n.toLocaleString('en')} scores from ${first} to ${last}`}
      ticks={['0', scoreText(most / 2), scoreText(most)]}
      first={first}
      last={last}
    >
      <DayPoints points={placed} color="var(--color-series-2)" />
    </PlotAxes>
  );
}
