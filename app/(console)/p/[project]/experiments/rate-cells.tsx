import type { Experiment } from '@/app/_trpc/outputs';
import { measuredText, minSampleSize } from '@/app/_ui/rate';
import { countText } from './experiment-words';

type Rates = Pick<Experiment['results'][number], 'passRate' | 'correctedPassRate' | 'meanScore'>;

const percent = (value: number): string => (value * 100).toFixed(1);

/** Value, interval and k/n; with fewer than 20 verdicts only k/n. */
export function PassRateText({ measure }: { measure: Rates['passRate'] }) {
  const { counts, rate, interval } = measuredText(measure);
  return (
    <span className="whitespace-nowrap" title="Passed verdicts of those that passed or failed">
      {rate === null ? null : `${rate} (${interval}) `}
      <span className="text-12 text-ink-2">{counts}</span>
    </span>
  );
}

/** The rate after the verifier's errors, from labels of live data. */
export function CorrectedRateText({ measure }: { measure: Rates['correctedPassRate'] }) {
  const { value, low, high, denominator, state } = measure;
  if (value === null || low === null || high === null)
    return <span className="text-ink-3">no labels</span>;
  return (
    <span
      className="whitespace-nowrap"
      title="The pass rate, corrected by the verifier’s measured errors (Rogan and Gladen)"
    >
      {state === 'insufficient'
        ? 'not enough data '
        : `${percent(value)}% (${percent(low)}–${percent(high)}%) `}
      <span className="text-12 text-ink-2">{countText(denominator)} labels</span>
    </span>
  );
}

/** The mean score with its interval. */
export function MeanScoreText({ measure }: { measure: Rates['meanScore'] }) {
  const { value, low, high, denominator } = measure;
  if (value === null) return <span className="text-ink-3">no scores</span>;
  const isFew = denominator < minSampleSize || low === null || high === null;
  return (
    <span className="whitespace-nowrap">
      {isFew ? null : `${value.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)}) `}
      <span className="text-12 text-ink-2">n {countText(denominator)}</span>
    </span>
  );
}
