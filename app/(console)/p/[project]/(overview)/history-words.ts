import type { VerdictHistory } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';
import type { TimeStep } from '@/app/_ui/time-chart';
import { outcomeOrder } from '@/app/_ui/verdict-styles';

/** Labels days by date and hours by time, in UTC. */
export function historySteps({ step, steps }: Pick<VerdictHistory, 'step' | 'steps'>): TimeStep[] {
  return steps.map(({ at, outcomes }) => {
    const text = at.toISOString();
    return step === 'hour'
      ? {
          tick: text.slice(11, 16),
          name: `${text.slice(0, 10)}, hour from ${text.slice(11, 16)} UTC`,
          values: outcomes,
        }
      : { tick: text.slice(5, 10), name: text.slice(0, 10), values: outcomes };
  });
}

/** How many verdicts the steps cover: hourly counts begin with the release that added them. */
export function partText({
  verdicts,
  inSteps,
}: Pick<VerdictHistory, 'verdicts' | 'inSteps'>): string | null {
  if (inSteps >= verdicts) return null;
  return `${inSteps.toLocaleString('en')} of ${verdicts.toLocaleString('en')} counted by the hour, the others settled before hours were kept`;
}

export function historyData({ step, steps }: Pick<VerdictHistory, 'step' | 'steps'>): ChartData {
  return {
    columns: [`${step} from`, ...outcomeOrder],
    rows: steps.map(({ at, outcomes }) => [
      at,
      ...outcomeOrder.map((outcome) => outcomes[outcome]),
    ]),
  };
}
