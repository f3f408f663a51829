import type { ModelDays } from '@/app/_trpc/outputs';
import { rate } from '@/server/domain';
import { DayPoints, lineThrough, PlotAxes, xOf, yOf } from './plot-axes';

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly day: string;
  readonly text: string;
}

/** Days with results, each with the interval of its pass rate. */
function place({ days, weight }: ModelDays): Placed[] {
  return days.flatMap(({ day, passed, failed }, index) => {
    const measured = rate(passed, passed + failed, weight);
    if (measured.state === 'no_data') return [];
    const n = passed + failed;
    const text = `${day}: ${passed.toLocaleString('en')} of ${n.toLocaleString('en')} passed`;
    return [
      {
        x: xOf(index, days.length),
        y: yOf(measured.value),
        low: yOf(measured.low),
        high: yOf(measured.high),
        n,
        day,
        text,
      },
    ];
  });
}

/** One model's pass rate by day with its band. Hollow for days with n under 20. */
export function DayLine({ model: measured }: { model: ModelDays }) {
  const { model, days, passed, failed } = measured;
  const placed = place(measured);
  const band = lineThrough([
    ...placed.map(({ x, high }) => [x, high] as const),
    ...placed.toReversed().map(({ x, low }) => [x, low] as const),
  ]);
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <PlotAxes
      label={`Pass rate of ${model} by day: ${passed.toLocaleString('en')} of ${(passed + failed).toLocaleString('en')} passed from ${first} to ${last}`}
      ticks={['0%', '50%', '100%']}
      first={first}
      last={last}
    >
      {placed.length > 1 ? (
        <path d={`${band}Z`} fill="var(--color-series-1)" opacity="0.16" />
      ) : null}
      {placed.length === 1
        ? placed.map(({ x, low, high, day }) => (
            <path
              key={day}
              d={`M${x} ${high}V${low}`}
              stroke="var(--color-series-1)"
              strokeWidth="2"
              opacity="0.4"
            />
          ))
        : null}
      <DayPoints points={placed} color="var(--color-series-1)" />
    </PlotAxes>
  );
}
