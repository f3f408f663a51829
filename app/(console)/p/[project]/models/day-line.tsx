import type { ModelDays } from '@/app/_trpc/outputs';
import { leastForRate } from '@/app/_ui/rate';
import { rate } from '@/server/domain';

const [width, height, left, right, top, bottom] = [300, 96, 36, 6, 8, 16];

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly day: string;
  readonly text: string;
}

const yOf = (share: number): number => top + (1 - share) * (height - top - bottom);

/** Days with results, each with the interval of its pass rate. */
function place(days: ModelDays['days']): Placed[] {
  const step = (width - left - right) / Math.max(1, days.length - 1);
  return days.flatMap(({ day, passed, failed }, index) => {
    const measured = rate(passed, passed + failed);
    if (measured.state === 'no_data') return [];
    const n = passed + failed;
    const text = `${day}: ${passed.toLocaleString('en')} of ${n.toLocaleString('en')} passed`;
    return [{ x: left + index * step, y: yOf(measured.value), low: yOf(measured.low), high: yOf(measured.high), n, day, text }];
  });
}

const line = (points: readonly (readonly [number, number])[]): string =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');

/** One model's pass rate by day with its band; every model on the same axes. Hollow where fewer than 20 stand behind a day. */
export function DayLine({ model: { model, days, passed, failed } }: { model: ModelDays }) {
  const placed = place(days);
  const band = line([...placed.map(({ x, high }) => [x, high] as const), ...placed.toReversed().map(({ x, low }) => [x, low] as const)]);
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''];
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Pass rate of ${model} by day: ${passed.toLocaleString('en')} of ${(passed + failed).toLocaleString('en')} passed from ${first} to ${last}`}
      className="block h-auto w-full"
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <path d={`M${left} ${yOf(share)}H${width - right}`} stroke="var(--color-line)" strokeWidth="1" />
          <text x={left - 4} y={yOf(share) + 3.5} textAnchor="end" fontSize="10" fill="var(--color-ink-3)">
            {share * 100} %
          </text>
        </g>
      ))}
      <text x={left} y={height - 3} fontSize="10" fill="var(--color-ink-3)">
        {first.slice(5)}
      </text>
      <text x={width - right} y={height - 3} textAnchor="end" fontSize="10" fill="var(--color-ink-3)">
        {last.slice(5)}
      </text>
      {placed.length > 1 ? <path d={`${band}Z`} fill="var(--color-series-1)" opacity="0.16" /> : null}
      {placed.length === 1
        ? placed.map(({ x, low, high, day }) => (
            <path key={day} d={`M${x} ${high}V${low}`} stroke="var(--color-series-1)" strokeWidth="2" opacity="0.4" />
          ))
        : null}
      <path d={line(placed.map(({ x, y }) => [x, y] as const))} fill="none" stroke="var(--color-series-1)" strokeWidth="1.5" />
      {placed.map(({ x, y, n, day, text }) => (
        <circle
          key={day}
          cx={x}
          cy={y}
          r="2.5"
          stroke="var(--color-series-1)"
          strokeWidth="1.5"
          fill={n < leastForRate ? 'var(--color-surface)' : 'var(--color-series-1)'}
        >
          <title>{text}</title>
        </circle>
      ))}
    </svg>
  );
}
