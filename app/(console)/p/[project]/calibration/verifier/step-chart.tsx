'use client';

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axisLine, axisTick, gridStroke, tooltipLooks } from '@/app/_ui/chart-looks';
import type { VerifierDetail } from '@/app/_trpc/outputs';
import { leastForRate } from '@/app/_ui/rate';
import { seriesOf } from './series';

type Step = VerifierDetail['steps'][number];

interface DotProps {
  cx?: number | undefined;
  cy?: number | undefined;
  value?: unknown;
  payload?: { readonly step: Step } | undefined;
}

/** Lines of rates. The table beside it (key `t`) says the same in words, with counts. */
export default function StepChart({ steps }: { steps: readonly Step[] }) {
  const rows = steps.map((step) => ({
    day: step.from.toISOString().slice(5, 10),
    step,
    ...Object.fromEntries(seriesOf.map(({ key }) => [key, step.rates[key].value === null ? null : step.rates[key].value * 100])),
  }));
  return (
    <div className="h-56" role="img" aria-label="Catch rate, false rejections and agreement over time">
      <ResponsiveContainer width="100%" height="100%">
        <LineChart data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
          <CartesianGrid vertical={false} stroke={gridStroke} />
          <XAxis dataKey="day" tick={axisTick} tickLine={false} axisLine={axisLine} minTickGap={16} padding={{ left: 16, right: 16 }} />
          <YAxis tick={axisTick} tickLine={false} axisLine={false} width={48} domain={[0, 100]} ticks={[0, 25, 50, 75, 100]} unit=" %" />
          <Tooltip
            {...tooltipLooks}
            cursor={{ stroke: 'var(--color-line-strong)' }}
            formatter={(value, name, item) => [withCounts(value, item), name]}
          />
          {seriesOf.map(({ key, name, color }) => (
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
                <StepDot key={`${key} ${cx} ${cy}`} at={{ cx, cy, value, payload }} of={key} color={color} />
              )}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </div>
  );
}

/** Hollow where fewer than 20 stand behind it. */
function StepDot({ at: { cx, cy, value, payload }, of, color }: { at: DotProps; of: (typeof seriesOf)[number]['key']; color: string }) {
  if (cx === undefined || cy === undefined || value == null || payload === undefined) return null;
  const few = payload.step.rates[of].denominator < leastForRate;
  return <circle cx={cx} cy={cy} r={4} stroke={color} strokeWidth={2} fill={few ? 'var(--color-surface)' : color} />;
}

function withCounts(value: unknown, item: { readonly dataKey?: unknown; readonly payload?: unknown }): string {
  const found = seriesOf.find(({ key }) => key === item.dataKey);
  const { step } = (item.payload ?? {}) as { step?: Step };
  if (found === undefined || step === undefined || typeof value !== 'number') return String(value);
  const { numerator, denominator } = step.rates[found.key];
  const counts = `${(numerator ?? 0).toLocaleString('en')}/${denominator.toLocaleString('en')}`;
  return denominator < leastForRate ? counts : `${value.toFixed(1)} % (${counts})`;
}
