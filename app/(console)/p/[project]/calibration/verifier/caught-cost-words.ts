import type { CaughtCosts } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';
import { minSampleSize } from '@/app/_ui/rate';
import type { TimeStep } from '@/app/_ui/time-chart';
import { costText } from '../../traces/amounts';

type Step = CaughtCosts['steps'][number];

const count = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });

/**
 * Cost of judging, caught defects and the cost of one defect, by step; null with too few labels.
 */
export function costSteps({ steps, step }: Pick<CaughtCosts, 'steps' | 'step'>): TimeStep[] {
  return steps.map((each) => {
    const day = each.from.toISOString().slice(0, 10);
    return {
      tick: day.slice(5),
      name: step === 'day' ? day : `week from ${day}`,
      values: {
        usd: each.usd,
        flagged: each.flagged,
        caught: each.caught,
        each: each.usdPerCaught,
      },
      tooltips: {
        usd: `${costText(each.usd)} for ${count(each.judged)} judged`,
        caught: caughtText(each),
        ...(each.usdPerCaught !== null && { each: costText(each.usdPerCaught) }),
      },
    };
  });
}

/** The flagged verdicts, multiplied by the labelled share of bad subjects. */
export function caughtText({ caught, caughtLabelled, flaggedLabelled }: Step): string {
  const labels = `${count(caughtLabelled)}/${count(flaggedLabelled)} of the labelled`;
  if (flaggedLabelled === 0) return 'no data';
  return caught === null
    ? `${labels}: fewer than ${minSampleSize} labels`
    : `about ${count(caught)} (${labels})`;
}

export function costData({ steps }: Pick<CaughtCosts, 'steps'>): ChartData {
  return {
    columns: [
      'from',
      'to',
      'judging (USD)',
      'judged',
      'flagged',
      'flagged with known truth',
      'of these bad',
      'caught (estimated)',
      'USD per caught',
    ],
    rows: steps.map((each) => [
      each.from,
      each.to,
      each.usd,
      each.judged,
      each.flagged,
      each.flaggedLabelled,
      each.caughtLabelled,
      each.caught,
      each.usdPerCaught,
    ]),
  };
}
