import type { ReactNode } from 'react';
import { minSampleSize } from '@/app/_ui/rate';

/**
 * One small plot: every model on the same axes. In drawing units; the drawing scales to its
 * container.
 */
const [plotWidth, plotHeight, plotLeft, plotRight, plotTop, plotBottom] = [400, 104, 44, 6, 8, 20];

/** @param share of the scale, 0 to 1 */
export const yOf = (share: number): number =>
  plotTop + (1 - share) * (plotHeight - plotTop - plotBottom);

/** @param index of the day among `days` */
export const xOf = (index: number, days: number): number =>
  plotLeft + (index * (plotWidth - plotLeft - plotRight)) / Math.max(1, days - 1);

export const lineThrough = (points: readonly (readonly [number, number])[]): string =>
  points
    .map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');

interface PlotAxesProps {
  label: string;
  /** Labels at 0, half and the end of the scale. */
  ticks: readonly [string, string, string];
  /** First and last day. */
  first: string;
  last: string;
  children: ReactNode;
}

export function PlotAxes({ label, ticks, first, last, children }: PlotAxesProps) {
  return (
    <svg
      viewBox={`0 0 ${plotWidth} ${plotHeight}`}
      role="img"
      aria-label={label}
      className="block h-auto w-full"
    >
      {ticks.map((tick, index) => (
        <g key={index}>
          <path
            d={`M${plotLeft} ${yOf(index / 2)}H${plotWidth - plotRight}`}
            stroke="var(--color-line)"
            strokeWidth="1"
          />
          <text
            x={plotLeft - 4}
            y={yOf(index / 2) + 3.5}
            textAnchor="end"
            fontSize="11"
            fill="var(--color-ink-3)"
          >
            {tick}
          </text>
        </g>
      ))}
      <text x={plotLeft} y={plotHeight - 4} fontSize="11" fill="var(--color-ink-3)">
        {first.slice(5)}
      </text>
      <text
        x={plotWidth - plotRight}
        y={plotHeight - 4}
        textAnchor="end"
        fontSize="11"
        fill="var(--color-ink-3)"
      >
        {last.slice(5)}
      </text>
      {children}
    </svg>
  );
}

interface DayPoint {
  readonly x: number;
  readonly y: number;
  /** The number of results behind the day's value. */
  readonly n: number;
  readonly day: string;
  readonly text: string;
}

/** The days' values, with one line through them. Hollow for days with n under 20. */
export function DayPoints({ points, color }: { points: readonly DayPoint[]; color: string }) {
  return (
    <>
      <path
        d={lineThrough(points.map(({ x, y }) => [x, y] as const))}
        fill="none"
        stroke={color}
        strokeWidth="1.5"
      />
      {points.map(({ x, y, n, day, text }) => (
        <circle
          key={day}
          cx={x}
          cy={y}
          r="2.5"
          stroke={color}
          strokeWidth="1.5"
          fill={n < minSampleSize ? 'var(--color-surface)' : color}
        >
          <title>{text}</title>
        </circle>
      ))}
    </>
  );
}
