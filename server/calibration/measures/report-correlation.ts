import type { ProjectCtx } from '../../access';
import { type CorrelationOf, pearson, pearsonOfSums, spearman } from '../stats/correlation';
import { comparable, hasPair, itemsOf, type ScoreGroup } from './curves';
import { judgements, type Wanted } from './judgements';
import type { Origin } from './measure-input';
import { leastForCorrelation, type Measure, type Rates } from './rates';
import type { Alert, Correlation } from './report';

interface SumRow {
  series: string;
  n: number;
  xx: number;
  yy: number;
  xy: number;
}

/**
 * SOAR-33 of each series: score on the verifier's own scale with truth, good as 1 and bad as 0, however many there are. The sums are of squares
 * about the means, so that no digits are lost; what rounding leaves of equal scores is 0.
 */
export async function correlateSeries(ctx: ProjectCtx, origin: Origin, wanted: Wanted): Promise<Map<string, CorrelationOf>> {
  const { sql } = ctx;
  const rows = await sql<SumRow[]>`
    select series, count(*)::int as n, case when min(score) < max(score) then regr_sxx(y, score) else 0 end as xx,
      regr_syy(y, score) as yy, regr_sxy(y, score) as xy
    from (
      select series, ${comparable(ctx)} as score, good::int::double precision as y from (${judgements(ctx, origin, wanted)}) as judged
      where ${hasPair(ctx)}
    ) as pairs group by series`;
  return new Map(rows.map(({ series, ...sums }) => [series, pearsonOfSums({ ...sums, x: 0, y: 0 })]));
}

/** Pure. */
export function correlationOf(groups: readonly ScoreGroup[], rates: Rates): Correlation {
  const pairs = itemsOf(groups).map(({ score, bad }) => [score, bad ? 0 : 1] as const);
  const { value, low, high } = pearson(pairs);
  const ranks = spearman(pairs);
  const n = pairs.length;
  const state =
    value === null
      ? 'no_data'
      : n < leastForCorrelation
        ? 'insufficient'
        : rates.correlation.state === 'on_target'
          ? 'on_target'
          : 'recalibrate';
  return {
    pearson: { value, low, high, n },
    spearman: { value: ranks.value, low: ranks.low, high: ranks.high, n },
    state,
    advice: n < leastForCorrelation ? [] : adviceOf(state, rates),
  };
}

/** SOAR-33 and SOAR-34. Many is above the target that the measure has. */
function adviceOf(state: Correlation['state'], { catchRate, falsePositiveRate }: Rates): string[] {
  return [
    ...(state === 'recalibrate' ? ['Scores follow the truth too little (below 0.7): calibrate the verifier again.'] : []),
    ...(isOff(falsePositiveRate) ? ['Many false rejections: lower the threshold to pass.'] : []),
    ...(isOff(catchRate) ? ['Many missed failures: raise the threshold to pass.'] : []),
  ];
}

const isOff = ({ state }: Measure): boolean => state === 'off_target' || state === 'alerting';

/** SOAR-31: what a person does about each measure that is beyond its alert limit. */
export function alertsOf(rates: Rates): Alert[] {
  const actions: readonly (readonly [Alert['measure'], string])[] = [
    ['catchRate', 'Review the missed failures, and adjust the verifier.'],
    ['falsePositiveRate', 'Review the false rejections, and relax the verifier.'],
    ['retrySuccess', 'Review the quality of the feedback that retries were given.'],
  ];
  return actions.flatMap(([measure, action]) => (rates[measure].state === 'alerting' ? [{ measure, action }] : []));
}
