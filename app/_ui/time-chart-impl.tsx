'use client';

import { useRouter } from 'next/navigation';
import { type MouseEvent, useId } from 'react';
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  ErrorBar,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { axisLine, axisTick, gridStroke, noteText, tooltipStyle } from './chart-styles';
import type { MarkGroup } from './chart-marks';
import type { TimePlot, TimeSeries, TimeStep } from './time-chart';

interface Row {
  /** Key of the step as text: two steps may have the same tick. */
  readonly key: string;
  readonly step: TimeStep;
}

interface DotProps {
  cx?: number | undefined;
  cy?: number | undefined;
  value?: unknown;
  payload?: Row | undefined;
}

/** In pixels. */
const axisWidth = 52;
const marginRight = 8;

/** The step under the pointer. Recharts knows it only from an earlier move, which a tap lacks. */
function stepAt({ clientX, currentTarget }: MouseEvent, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return Math.floor(((clientX - left - axisWidth) / (width - axisWidth - marginRight)) * count);
}

const countText = (value: number): string => value.toLocaleString('en');

/** Rendered by recharts; imported only by `TimeChart`. */
export default function TimeChartImpl({ plot }: { plot: TimePlot }) {
  const { steps, series, marks = [], ticks, isCount = false, text = countText } = plot;
  const hatch = useId();
  const router = useRouter();
  const isLinked = steps.some(({ href }) => href !== undefined);
  const rows = steps.map((step, index): Row => ({ ...step.values, key: String(index), step }));
  const lines = series.filter(({ as }) => as === 'line');
  const isBanded = (key: string): boolean => steps.some(({ bands }) => bands?.[key] !== undefined);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={rows}
        margin={{ top: marks.length > 0 ? 30 : 8, right: marginRight, bottom: 0, left: 0 }}
        accessibilityLayer={false}
        maxBarSize={40}
        {...(isLinked && {
          className: 'cursor-pointer',
          onClick: (_: unknown, event: MouseEvent) => {
            const href = steps[stepAt(event, steps.length)]?.href;
            if (href !== undefined) router.push(href);
          },
        })}
      >
        <Hatches id={hatch} series={series} />
        <CartesianGrid vertical={false} stroke={gridStroke} />
        <XAxis
          dataKey="key"
          tick={axisTick}
          tickLine={false}
          axisLine={axisLine}
          minTickGap={16}
          tickFormatter={(key: string) => steps[Number(key)]?.tick ?? ''}
          // Charts below one another have their steps at the same positions, with bars or lines.
          scale="band"
        />
        <YAxis
          tick={axisTick}
          tickLine={false}
          axisLine={false}
          width={axisWidth}
          allowDecimals={!isCount}
          tickFormatter={text}
          {...(ticks !== undefined && {
            ticks: [...ticks],
            domain: [0, ticks.at(-1) ?? 1] as [number, number],
          })}
        />
        <Tooltip
          {...tooltipStyle}
          cursor={
            lines.length === series.length
              ? { stroke: 'var(--color-line-strong)' }
              : { fill: 'var(--color-hover)' }
          }
          labelFormatter={(key) => steps[Number(key)]?.name ?? ''}
          formatter={(value, name, item) => [tooltipOf(item, text, value), name]}
        />
        {lines
          .filter(({ key }) => isBanded(key) && steps.length > 1)
          .map(({ key, color }) => (
            <Area
              key={`band ${key}`}
              dataKey={(row: Row) =>
                row.step.bands?.[key] === undefined ? null : [...row.step.bands[key]]
              }
              tooltipType="none"
              stroke="none"
              fill={color}
              fillOpacity={0.14}
              isAnimationActive={false}
              activeDot={false}
              connectNulls
            />
          ))}
        {series
          .filter(({ as }) => as === 'bar')
          .map(({ key, name, color, isHatched = false }) => (
            <Bar
              key={key}
              dataKey={key}
              name={name}
              stackId="all"
              isAnimationActive={false}
              fill={isHatched ? `url(#${hatch}-${key})` : color}
              stroke="var(--color-surface)"
              strokeWidth={1}
            />
          ))}
        {lines.map(({ key, name, color }) => (
          <Line
            key={key}
            dataKey={key}
            name={name}
            stroke={color}
            strokeWidth={2}
            isAnimationActive={false}
            connectNulls
            activeDot={false}
            dot={({ cx, cy, value, payload }: DotProps) => (
              <StepDot
                key={`${key} ${payload?.key}`}
                at={{ cx, cy, value, payload }}
                of={key}
                color={color}
              />
            )}
          >
            {steps.length === 1 && isBanded(key) ? (
              // A band of one step has no width.
              <ErrorBar
                dataKey={({ step }: Row) => {
                  const [value, band] = [step.values[key] ?? 0, step.bands?.[key]];
                  return band === undefined ? [0, 0] : [value - band[0], band[1] - value];
                }}
                width={6}
                stroke={color}
                strokeOpacity={0.6}
                isAnimationActive={false}
              />
            ) : null}
          </Line>
        ))}
        {marks.map((group, index) => (
          <ReferenceLine
            key={group.number}
            x={String(group.step)}
            stroke="var(--color-ink-2)"
            strokeDasharray="2 3"
            label={{
              value: group.number,
              position: 'top',
              offset: isRaised(marks, index) ? 16 : 4,
              ...noteText,
            }}
          />
        ))}
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Labels of neighbours are in two rows: side by side they would overlap. */
function isRaised(marks: readonly MarkGroup[], index: number): boolean {
  let run = 0;
  for (let at = index; at > 0; at--) {
    if ((marks[at]?.step ?? 0) - (marks[at - 1]?.step ?? 0) > 1) break;
    run++;
  }
  return run % 2 === 1;
}

function Hatches({ id, series }: { id: string; series: readonly TimeSeries[] }) {
  return (
    <defs>
      {series
        .filter(({ isHatched }) => isHatched)
        .map(({ key, color }) => (
          <pattern
            key={key}
            id={`${id}-${key}`}
            width="5"
            height="5"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="2.5" height="5" fill={color} />
          </pattern>
        ))}
    </defs>
  );
}

/** Hollow when n is under 20. */
function StepDot({
  at: { cx, cy, value, payload },
  of,
  color,
}: {
  at: DotProps;
  of: string;
  color: string;
}) {
  if (cx === undefined || cy === undefined || value == null || payload === undefined) return null;
  const isFew = payload.step.few?.includes(of) === true;
  return (
    <circle
      cx={cx}
      cy={cy}
      r={3.5}
      stroke={color}
      strokeWidth={2}
      fill={isFew ? 'var(--color-surface)' : color}
    />
  );
}

function tooltipOf(
  item: { readonly dataKey?: unknown; readonly payload?: unknown },
  text: (value: number) => string,
  value: unknown,
): string {
  const { step } = (item.payload ?? {}) as Partial<Row>;
  const tooltip = step?.tooltips?.[String(item.dataKey)];
  return tooltip ?? (typeof value === 'number' ? text(value) : String(value));
}
