import type { VerdictHistory } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';
import { minSampleSize, rateText } from '@/app/_ui/rate';
import type { TimeStep } from '@/app/_ui/time-chart';
import { outcomeOrder } from '@/app/_ui/verdict-styles';
import { rate } from '@/server/domain';

type Outcomes = VerdictHistory['steps'][number]['outcomes'];

/** A step of the chart; `to` is exclusive. */
export interface RateStep {
  readonly at: Date;
  readonly to: Date;
  readonly outcomes: Outcomes;
}

export interface RateSteps {
  readonly step: 'hour' | 'day' | 'week';
  readonly steps: readonly RateStep[];
}

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const weekDays = 7;
/** The share of days with too few verdicts from which weeks are shown. */
const maxFewShare = 0.25;

const decidedOf = ({ passed, failed }: Outcomes): number => passed + failed;

/**
 * The hours or days of the period; weeks up to its end if more than a quarter of the days of a
 * longer period have fewer than 20 decided verdicts. Pure.
 */
export function rateSteps({ step, steps }: Pick<VerdictHistory, 'step' | 'steps'>): RateSteps {
  const stepMs = step === 'hour' ? hourMs : dayMs;
  const single = steps.map(({ at, outcomes }) => ({
    at,
    to: new Date(at.getTime() + stepMs),
    outcomes,
  }));
  const decided = steps.map(({ outcomes }) => decidedOf(outcomes)).filter((n) => n > 0);
  const few = decided.filter((n) => n < minSampleSize).length;
  if (step === 'hour' || steps.length <= weekDays || few <= decided.length * maxFewShare)
    return { step, steps: single };
  const first = single.length % weekDays;
  const starts = [
    ...(first > 0 ? [0] : []),
    ...Array.from({ length: Math.floor(single.length / weekDays) }, (_, n) => first + n * weekDays),
  ];
  return {
    step: 'week',
    steps: starts.flatMap((start, n) => mergedSteps(single.slice(start, starts[n + 1]))),
  };
}

function mergedSteps(steps: readonly RateStep[]): RateStep[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (first === undefined || last === undefined) return [];
  const outcomes = { ...first.outcomes };
  for (const each of steps.slice(1))
    for (const outcome of outcomeOrder) outcomes[outcome] += each.outcomes[outcome];
  return [{ at: first.at, to: last.to, outcomes }];
}

/** Steps as text, in UTC: hours by time, days and weeks by date. */
export function stepName(step: RateSteps['step'], { at, to }: Pick<RateStep, 'at' | 'to'>): string {
  const text = at.toISOString();
  const date = text.slice(0, 10);
  switch (step) {
    case 'hour':
      return `${date} ${text.slice(11, 16)}`;
    case 'day':
      return date;
    case 'week':
      return `${date} to ${new Date(to.getTime() - 1).toISOString().slice(0, 10)}`;
  }
}

export const rateKey = 'passed';

/** A point of fewer verdicts would only show chance. */
export const minDrawn = 5;

/** Points of the chart: the share that passed, with its interval from 20 verdicts. */
export function ratePoints({ step, steps }: RateSteps, weight: number): TimeStep[] {
  return steps.map((each) => {
    const { passed } = each.outcomes;
    const decided = decidedOf(each.outcomes);
    const { state, value, low, high } = rate(passed, decided, weight);
    const text = each.at.toISOString();
    const named = {
      tick: step === 'hour' ? text.slice(11, 16) : text.slice(5, 10),
      name: stepName(step, each),
    };
    if (state === 'no_data' || decided < minDrawn) return { ...named, values: { [rateKey]: null } };
    return {
      ...named,
      values: { [rateKey]: value },
      tooltips: { [rateKey]: passText(passed, decided, weight) },
      ...(state === 'measured'
        ? { bands: { [rateKey]: [low, high] as const } }
        : { few: [rateKey] }),
    };
  });
}

/** `76.0% (73.1–78.6%), 714/940`; counts only under 20. */
export function passText(passed: number, decided: number, weight: number): string {
  const { rate: share, interval, counts } = rateText(passed, decided, weight);
  return share === null ? counts : `${share} (${interval}), ${counts}`;
}

/** How many verdicts the steps cover: hourly counts begin with the release that added them. */
export function partText({
  verdicts,
  inSteps,
}: Pick<VerdictHistory, 'verdicts' | 'inSteps'>): string | null {
  if (inSteps >= verdicts) return null;
  return `${inSteps.toLocaleString('en')} of ${verdicts.toLocaleString('en')} counted by the hour, the others settled before hourly counts existed`;
}

export function rateData({ step, steps }: RateSteps): ChartData {
  return {
    columns: [`${step} from`, ...outcomeOrder],
    rows: steps.map(({ at, outcomes }) => [
      at,
      ...outcomeOrder.map((outcome) => outcomes[outcome]),
    ]),
  };
}
