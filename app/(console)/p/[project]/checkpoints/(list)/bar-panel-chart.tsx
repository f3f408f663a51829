'use client';

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axisLine, axisTick, gridStroke, tooltipStyle } from '@/app/_ui/chart-styles';
import type { Bars } from './bars';

/** Bars in groups or stacks. The table next to it (key `t`) has the same values. */
export default function BarPanelChart({ bars }: { bars: Bars }) {
  const {
    series,
    rows,
    isStacked,
    isLying = false,
    max,
    text = (value: number) => value.toLocaleString('en'),
  } = bars;
  const values = {
    type: 'number' as const,
    tick: axisTick,
    tickLine: false,
    axisLine: false,
    tickFormatter: (value: number) => text(value),
  };
  const names = {
    type: 'category' as const,
    dataKey: 'name',
    tick: axisTick,
    tickLine: false,
    axisLine,
  };
  const domain: { domain: [number, number | 'auto'] } = { domain: [0, max ?? 'auto'] };
  return (
    <ResponsiveContainer width="100%" height="100%">
      <BarChart
        data={[...rows]}
        layout={isLying ? 'vertical' : 'horizontal'}
        margin={{ top: 4, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer={false}
        maxBarSize={isLying ? 16 : 40}
      >
        <CartesianGrid vertical={isLying} horizontal={!isLying} stroke={gridStroke} />
        {isLying ? (
          <XAxis {...values} {...domain} allowDecimals={false} />
        ) : (
          <XAxis {...names} interval={0} />
        )}
        {isLying ? (
          <YAxis {...names} width={132} interval={0} />
        ) : (
          <YAxis {...values} {...domain} width={52} />
        )}
        <Tooltip
          {...tooltipStyle}
          cursor={{ fill: 'var(--color-hover)' }}
          formatter={(value, name) => [
            typeof value === 'number' ? text(value) : String(value),
            name,
          ]}
        />
        {series.map(({ key, name, color }) => (
          <Bar
            key={key}
            dataKey={key}
            name={name}
            {...(isStacked && { stackId: 'all' })}
            isAnimationActive={false}
            fill={color}
            stroke="var(--color-surface)"
            strokeWidth={1}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  );
}
