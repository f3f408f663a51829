'use client';

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import type { LegendEntry } from '@/app/_ui/chart-frame';
import { axisLine, axisTick, gridStroke, tooltipLooks } from '@/app/_ui/chart-looks';

export interface Bars {
  readonly series: readonly LegendEntry[];
  /** `name` labels a bar, or a group of them; null has no bar. */
  readonly rows: readonly ({ readonly name: string } & Readonly<Record<string, string | number | null>>)[];
  readonly isStacked: boolean;
  /** Bars lie: their names are long. */
  readonly isLying?: boolean;
  readonly max?: number;
  /** A value as the axis and the tooltip show it. */
  readonly text?: (value: number) => string;
}

/** Bars in groups or stacks. The table beside it (key `t`) says the same in words. */
export default function BarPanelChart({ label, bars }: { label: string; bars: Bars }) {
  const { series, rows, isStacked, isLying = false, max, text = (value: number) => value.toLocaleString('en') } = bars;
  const values = {
    type: 'number' as const,
    tick: axisTick,
    tickLine: false,
    axisLine: false,
    tickFormatter: (value: number) => text(value),
  };
  const names = { type: 'category' as const, dataKey: 'name', tick: axisTick, tickLine: false, axisLine };
  const domain: { domain: [number, number | 'auto'] } = { domain: [0, max ?? 'auto'] };
  return (
    <div style={{ height: isLying ? Math.max(192, rows.length * 28 + 32) : 192 }} role="img" aria-label={label}>
      <ResponsiveContainer width="100%" height="100%">
        <BarChart
          data={[...rows]}
          layout={isLying ? 'vertical' : 'horizontal'}
          margin={{ top: 4, right: 8, bottom: 0, left: 0 }}
          accessibilityLayer={false}
          maxBarSize={isLying ? 16 : 40}
        >
          <CartesianGrid vertical={isLying} horizontal={!isLying} stroke={gridStroke} />
          {isLying ? <XAxis {...values} {...domain} allowDecimals={false} /> : <XAxis {...names} interval={0} />}
          {isLying ? <YAxis {...names} width={132} interval={0} /> : <YAxis {...values} {...domain} width={52} />}
          <Tooltip
            {...tooltipLooks}
            cursor={{ fill: 'var(--color-hover)' }}
            formatter={(value, name) => [typeof value === 'number' ? text(value) : String(value), name]}
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
    </div>
  );
}
