import type { VerifierDetail } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';
import { minSampleSize } from '@/app/_ui/rate';
import type { TimeStep } from '@/app/_ui/time-chart';
import { banded, seriesOf } from './series';

type Step = VerifierDetail['steps'][number];

/** Rates with their intervals; a rate with n under 20 is hollow, and shows only counts. */
export function rateSteps(steps: readonly Step[], step: VerifierDetail['step']): TimeStep[] {
  return steps.map(({ from, rates }) => {
    const day = from.toISOString().slice(0, 10);
    return {
      tick: day.slice(5),
      name: step === 'day' ? day : `week from ${day}`,
      values: Object.fromEntries(seriesOf.map(({ key }) => [key, rates[key].value])),
      bands: Object.fromEntries(
        banded.flatMap((key) => {
          const { low, high } = rates[key];
          return low === null || high === null ? [] : [[key, [low, high] as const]];
        }),
      ),
      few: seriesOf
        .filter(({ key }) => rates[key].denominator < minSampleSize)
        .map(({ key }) => key),
      tooltips: Object.fromEntries(seriesOf.map(({ key }) => [key, rateTooltip(rates[key])])),
    };
  });
}

function rateTooltip({
  value,
  low,
  high,
  numerator,
  denominator,
}: Step['rates']['catchRate']): string {
  if (value === null) return 'no data';
  const counts = `${(numerator ?? 0).toLocaleString('en')}/${denominator.toLocaleString('en')}`;
  if (denominator < minSampleSize || low === null || high === null) return counts;
  const percent = (share: number): string => (share * 100).toFixed(1);
  return `${percent(value)}% (${percent(low)}–${percent(high)}%) ${counts}`;
}

export function rateData(steps: readonly Step[]): ChartData {
  return {
    columns: [
      'from',
      'to',
      ...seriesOf.flatMap(({ key }) => [
        key,
        `${key} low`,
        `${key} high`,
        `${key} numerator`,
        `${key} denominator`,
      ]),
    ],
    rows: steps.map(({ from, to, rates }) => [
      from,
      to,
      ...seriesOf.flatMap(({ key }) => {
        const { value, low, high, numerator, denominator } = rates[key];
        return [value, low, high, numerator, denominator];
      }),
    ]),
  };
}
