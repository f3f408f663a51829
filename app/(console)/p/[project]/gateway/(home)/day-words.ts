import type { GatewayDay } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';
import type { TimeStep } from '@/app/_ui/time-chart';
import { durationText } from '../../traces/amounts';

/** The results of steers, the lowest of the stack first. */
export const steerOrder = [
  'fixed',
  'not_fixed',
  'worse',
  'unknown',
] as const satisfies readonly (keyof GatewayDay['steers'])[];

const times = ['p50', 'p95', 'p99'] as const;

export function daySteps(days: readonly GatewayDay[]): TimeStep[] {
  return days.map(({ day, steers, deliveryDelay }) => ({
    tick: day.slice(5),
    name: day,
    values: { ...steers, p50: deliveryDelay.p50, p95: deliveryDelay.p95, p99: deliveryDelay.p99 },
    tooltips: Object.fromEntries(
      times.flatMap((each) => {
        const ms = deliveryDelay[each];
        return ms === null
          ? []
          : [[each, `${durationText(ms)} (of ${deliveryDelay.n.toLocaleString('en')})`]];
      }),
    ),
  }));
}

export function dayData(days: readonly GatewayDay[]): ChartData {
  return {
    columns: [
      'day',
      ...steerOrder,
      'note withheld',
      'note not delivered',
      'answers buffered',
      ...times.map((each) => `delay ${each} (ms)`),
    ],
    rows: days.map(({ day, steers, withheld, undelivered, deliveryDelay }) => [
      new Date(`${day}T00:00:00Z`),
      ...steerOrder.map((each) => steers[each]),
      withheld,
      undelivered,
      deliveryDelay.n,
      ...times.map((each) => deliveryDelay[each]),
    ]),
  };
}
