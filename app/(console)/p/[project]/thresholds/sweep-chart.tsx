'use client';

import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { Measure, SimulatedCandidate } from '@/app/_trpc/outputs';
import { axisLine, axisTick, gridStroke, noteText, tooltipStyle } from '@/app/_ui/chart-styles';
import { measuredText } from '@/app/_ui/rate';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { sweepSeries } from './sweep-series';

interface SweepChartProps {
  points: readonly SimulatedCandidate[];
  current: number;
  candidate: number | null;
}

const percent = ({ value }: Measure): number | null => (value === null ? null : value * 100);

/** Two lines over the values; the table next to it (key `t`) has the same numbers with counts. */
export default function SweepChart({ points, current, candidate }: SweepChartProps) {
  const rows = points.map((point) => ({
    value: point.value,
    catchRate: percent(point.catchRate),
    falseRejectionRate: percent(point.falseRejectionRate),
    point,
  }));
  const [first, last] = [points[0]?.value ?? 0, points.at(-1)?.value ?? 1];
  // The values are labelled above the plot, each in its own row, so that neither lines nor labels
  // overlap.
  const mark = (value: number, name: string, row: number) => (
    <ReferenceLine
      x={value}
      stroke="var(--color-ink-2)"
      strokeDasharray={row === 0 ? '4 4' : undefined}
      label={
        <MarkName
          name={`${name} ${plainNumber(value)}`}
          row={row}
          toLeft={value > (first + last) / 2}
        />
      }
    />
  );
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart
        data={rows}
        margin={{ top: 40, right: 16, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke={gridStroke} />
        <XAxis
          type="number"
          dataKey="value"
          domain={[first, last]}
          tick={axisTick}
          tickLine={false}
          axisLine={axisLine}
          tickFormatter={plainNumber}
        />
        <YAxis
          tick={axisTick}
          tickLine={false}
          axisLine={false}
          width={52}
          domain={[0, 100]}
          ticks={[0, 25, 50, 75, 100]}
          unit="%"
        />
        <Tooltip
          {...tooltipStyle}
          cursor={{ stroke: 'var(--color-line-strong)' }}
          labelFormatter={(value) => (typeof value === 'number' ? plainNumber(value) : value)}
          formatter={(value, name, item) => [withCounts(value, item), name]}
        />
        {mark(current, 'current', 0)}
        {candidate === null ? null : mark(candidate, 'tried', 1)}
        {sweepSeries.map(({ key, name, color }) => (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={color}
            strokeWidth={2}
            isAnimationActive={false}
            dot={false}
            connectNulls
          />
        ))}
      </LineChart>
    </ResponsiveContainer>
  );
}

interface MarkNameProps {
  name: string;
  /** From the plot upwards. */
  row: number;
  toLeft: boolean;
  /** Set by the labelled line. */
  viewBox?: { readonly x?: number; readonly y?: number };
}

function MarkName({ name, row, toLeft, viewBox }: MarkNameProps) {
  const [x, y] = [viewBox?.x ?? 0, viewBox?.y ?? 0];
  return (
    <text
      x={x + (toLeft ? 4 : -4)}
      y={y - 6 - row * 16}
      textAnchor={toLeft ? 'end' : 'start'}
      {...noteText}
    >
      {name}
    </text>
  );
}

function withCounts(
  value: unknown,
  item: { readonly dataKey?: unknown; readonly payload?: unknown },
): string {
  const found = sweepSeries.find(({ key }) => key === item.dataKey);
  const { point } = (item.payload ?? {}) as { point?: SimulatedCandidate };
  if (found === undefined || point === undefined) return String(value);
  const { rate, counts } = measuredText(point[found.key]);
  return rate === null ? counts : `${rate} (${counts})`;
}
