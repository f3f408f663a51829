'use client';

import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axisLine, axisTick, gridStroke, tooltipLooks } from '@/app/_ui/chart-looks';
import { leastForRate } from '@/app/_ui/rate';
import type { AnchorRun } from './anchor-words';

interface Point {
  readonly day: string;
  readonly run: AnchorRun;
  readonly agreement: number | null;
}

interface DotProps {
  cx?: number | undefined;
  cy?: number | undefined;
  payload?: Point | undefined;
}

const color = 'var(--color-series-1)';

/** Agreement with the frozen truths, run by run, the oldest first. The table beside it says the same with counts and intervals. */
export default function AnchorChart({ name, runs }: { name: string; runs: readonly AnchorRun[] }) {
  const points = runs.map(
    (run, n): Point => ({
      // Several runs of one day are points of their own.
      day: `${n + 1}. ${run.startedAt.toISOString().slice(5, 10)}`,
      run,
      agreement: run.agreement.value === null ? null : run.agreement.value * 100,
    }),
  );
  return (
    <figure className="grid gap-2 px-4 pb-3">
      <figcaption className="text-12 text-ink-2">
        Agreement with the frozen truths by run; hollow: fewer than {leastForRate} decided
      </figcaption>
      <div className="h-40" role="img" aria-label={`Agreement of the runs of ${name}, also in the table`}>
        <ResponsiveContainer width="100%" height="100%">
          <LineChart data={points} margin={{ top: 8, right: 8, bottom: 0, left: 0 }} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke={gridStroke} />
            <XAxis dataKey="day" tick={axisTick} tickLine={false} axisLine={axisLine} minTickGap={16} padding={{ left: 16, right: 16 }} />
            <YAxis tick={axisTick} tickLine={false} axisLine={false} width={48} domain={[0, 100]} ticks={[0, 50, 100]} unit=" %" />
            <Tooltip
              {...tooltipLooks}
              cursor={{ stroke: 'var(--color-line-strong)' }}
              formatter={(_value, _name, item) => [countsOf(item), 'Agreement']}
            />
            <Line
              dataKey="agreement"
              stroke={color}
              strokeWidth={2}
              isAnimationActive={false}
              connectNulls
              activeDot={false}
              dot={({ cx, cy, payload }: DotProps) => <RunDot key={payload?.run.id ?? `${cx}`} at={{ cx, cy, payload }} />}
            />
          </LineChart>
        </ResponsiveContainer>
      </div>
    </figure>
  );
}

/** Hollow where fewer than 20 stand behind it. */
function RunDot({ at: { cx, cy, payload } }: { at: DotProps }) {
  if (cx === undefined || cy === undefined || payload === undefined || payload.agreement === null) return null;
  const few = payload.run.agreement.denominator < leastForRate;
  return <circle cx={cx} cy={cy} r={4} stroke={color} strokeWidth={2} fill={few ? 'var(--color-surface)' : color} />;
}

function countsOf(item: { readonly payload?: unknown }): string {
  const { run, agreement } = (item.payload ?? {}) as Partial<Point>;
  if (run === undefined || agreement == null) return 'no data';
  const { numerator, denominator } = run.agreement;
  const counts = `${(numerator ?? 0).toLocaleString('en')}/${denominator.toLocaleString('en')}`;
  return denominator < leastForRate ? counts : `${agreement.toFixed(1)} % (${counts})`;
}
