'use client';

import type { ReactNode } from 'react';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';

export interface Series {
  readonly key: string;
  readonly name: string;
  /** A token: `var(--color-series-1)`. Hues of verdicts are for verdicts only. */
  readonly color: string;
  /** Stands for the colour in the legend where it has a shape of its own. */
  readonly mark?: ReactNode;
}

export interface Bars {
  readonly series: readonly Series[];
  /** `name` labels a bar, or a group of them; null has no bar. */
  readonly rows: readonly ({ readonly name: string } & Readonly<Record<string, string | number | null>>)[];
  readonly isStacked: boolean;
  /** Bars lie: their names are long. */
  readonly isLying?: boolean;
  readonly max?: number;
  /** A value as the axis and the tooltip show it. */
  readonly text?: (value: number) => string;
}

const axis = { fontSize: 12, fill: 'var(--color-ink-3)' };
const line = { stroke: 'var(--color-line)' };

/** Bars in groups or stacks. The table beside it (key `t`) says the same in words. */
export default function BarPanelChart({ label, bars }: { label: string; bars: Bars }) {
  const { series, rows, isStacked, isLying = false, max, text = (value: number) => value.toLocaleString('en') } = bars;
  const values = { type: 'number' as const, tick: axis, tickLine: false, axisLine: false, tickFormatter: (value: number) => text(value) };
  const names = { type: 'category' as const, dataKey: 'name', tick: axis, tickLine: false, axisLine: line };
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
          <CartesianGrid vertical={isLying} horizontal={!isLying} stroke="var(--color-line)" />
          {isLying ? <XAxis {...values} {...domain} allowDecimals={false} /> : <XAxis {...names} interval={0} />}
          {isLying ? <YAxis {...names} width={132} interval={0} /> : <YAxis {...values} {...domain} width={52} />}
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: 'var(--color-hover)' }}
            itemStyle={{ color: 'var(--color-ink)', padding: 0 }}
            contentStyle={{
              background: 'var(--color-surface)',
              border: '1px solid var(--color-line-strong)',
              borderRadius: 4,
              fontSize: 12,
              padding: '6px 10px',
            }}
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
