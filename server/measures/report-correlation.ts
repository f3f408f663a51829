import { pearson, spearman, widened } from '../stats';
import { itemsOf, type ScoreGroup } from './curves';
import { minForCorrelation, type Measure, type Rates } from './rates';
import type { MeasureAlert, Correlation } from './report';

/** Pure. @param weight the weight of an item, if sessions have several */
export function correlationOf(
  groups: readonly ScoreGroup[],
  rates: Rates,
  weight = 1,
): Correlation {
  const pairs = itemsOf(groups).map(({ score, bad }) => [score, bad ? 0 : 1] as const);
  const { value, low, high } = widened(pearson(pairs), weight, [-1, 1]);
  const ranks = widened(spearman(pairs), weight, [-1, 1]);
  const n = pairs.length;
  const state =
    value === null
      ? 'no_data'
      : n < minForCorrelation
        ? 'insufficient'
        : rates.correlation.state === 'on_target'
          ? 'on_target'
          : 'recalibrate';
  return {
    pearson: { value, low, high, n },
    spearman: { value: ranks.value, low: ranks.low, high: ranks.high, n },
    state,
    advice: state === 'no_data' || n < minForCorrelation ? [] : adviceOf(state, rates),
  };
}

/**
 * The advice by SOAR-33 and SOAR-34. "Many" means that the rate misses its target. With many of
 * both, no threshold helps: the scores do not separate good from bad.
 */
function adviceOf(state: Correlation['state'], { catchRate, falsePositiveRate }: Rates): string[] {
  const [rejects, misses] = [isOff(falsePositiveRate), isOff(catchRate)];
  return [
    ...(state === 'recalibrate'
      ? ['Scores follow the truth too little (below 0.7): calibrate the verifier again.']
      : []),
    ...(rejects && !misses ? ['Many false rejections: lower the threshold to pass.'] : []),
    ...(misses && !rejects ? ['Many missed failures: raise the threshold to pass.'] : []),
    ...(misses && rejects
      ? ['Many false rejections and many missed failures: no threshold mends both.']
      : []),
  ];
}

const isOff = ({ state }: Measure): boolean => state === 'off_target' || state === 'alerting';

/** SOAR-31: the recommended action for each measure beyond its alert limit. */
export function alertsOf(rates: Rates): MeasureAlert[] {
  const actions: readonly (readonly [MeasureAlert['measure'], string])[] = [
    ['catchRate', 'Review the missed failures, and adjust the verifier.'],
    ['falsePositiveRate', 'Review the false rejections, and relax the verifier.'],
    ['retrySuccess', 'Review the quality of the feedback that retries were given.'],
  ];
  return actions.flatMap(([measure, action]) =>
    rates[measure].state === 'alerting' ? [{ measure, action }] : [],
  );
}
