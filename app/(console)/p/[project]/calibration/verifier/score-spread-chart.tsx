'use client';

import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { ScoreHistogram } from '@/app/_trpc/outputs';
import { axisLine, axisTick, gridStroke, noteText, tooltipStyle } from '@/app/_ui/chart-styles';
import { scoreText } from '../../models/spread-words';
import { binText, partsOf, placeLines, type ScoreSeries } from './score-spread-words';

const rowHeight = 16;

/**
 * A histogram on a true scale: the line of a threshold is at its value, between two bars or inside
 * one.
 */
export default function ScoreSpreadChart({
  histogram,
  series,
}: {
  histogram: ScoreHistogram;
  series: readonly ScoreSeries[];
}) {
  const { bins, max, thresholds } = histogram;
  const rows = bins.map((bin) => ({
    middle: (bin.low + bin.high) / 2,
    name: binText(bin),
    ...partsOf(bin),
  }));
  const lines = placeLines(thresholds, max);
  const top =
    8 + rowHeight * (lines.length === 0 ? 0 : Math.max(...lines.map(({ row }) => row)) + 1);
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => share * max);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={rows}
        margin={{ top, right: 16, bottom: 0, left: 0 }}
        accessibilityLayer={false}
        barCategoryGap={1}
      >
        <CartesianGrid vertical={false} stroke={gridStroke} />
        <XAxis
          type="number"
          dataKey="middle"
          domain={[0, max]}
          ticks={ticks}
          tick={axisTick}
          tickLine={false}
          axisLine={axisLine}
          tickFormatter={(value: number) => (max > 10 ? value.toFixed(0) : value.toFixed(1))}
        />
        <YAxis
          tick={axisTick}
          tickLine={false}
          axisLine={false}
          width={52}
          allowDecimals={false}
          tickFormatter={(value: number) => value.toLocaleString('en')}
        />
        <Tooltip
          {...tooltipStyle}
          cursor={{ fill: 'var(--color-hover)' }}
          labelFormatter={(middle) =>
            `score ${rows.find((row) => row.middle === middle)?.name ?? ''}`
          }
        />
        {series.map(({ key, name, color }) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            stackId="all"
            isAnimationActive={false}
            fill={color}
            stroke="var(--color-surface)"
            strokeWidth={1}
          />
        ))}
        {lines.map(({ name, value, row, toLeft }) => (
          <ReferenceLine
            key={name}
            x={value}
            stroke="var(--color-ink-2)"
            strokeDasharray="4 4"
            label={<LineName name={`${name} ${scoreText(value)}`} row={row} toLeft={toLeft} />}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}

interface LineNameProps {
  name: string;
  row: number;
  toLeft: boolean;
  /** Set by the labelled line. */
  viewBox?: { readonly x?: number; readonly y?: number };
}

/** Drawn above the plot, on the side that has room. */
function LineName({ name, row, toLeft, viewBox }: LineNameProps) {
  const [x, y] = [viewBox?.x ?? 0, viewBox?.y ?? 0];
  return (
    <text
      x={x + (toLeft ? 4 : -4)}
      y={y - 6 - row * rowHeight}
      textAnchor={toLeft ? 'end' : 'start'}
      {...noteText}
    >
      {name}
    </text>
  );
}
