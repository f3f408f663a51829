'use client';

import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { axisLine, axisTick, gridStroke, tooltipLooks } from '@/app/_ui/chart-looks';
import type { Outcome } from '@/server/domain';
import { verdictLooks } from '@/app/_ui/verdict-looks';
import type { Day } from './day-panel';

/** Stacked counts in verdict hues. The table beside it (key `t`) says the same in words. */
export default function DayChart({ byDay, seen }: { byDay: readonly Day[]; seen: readonly Outcome[] }) {
  const rows = byDay.map((day) => ({ day: day.day.slice(5), ...day.outcomes }));
  // The passes carry the stack; what failed stands on top of them, where it is seen.
  const stack = seen.toReversed();
  return (
    <div className="h-48" role="img" aria-label="Verdicts per day, stacked by outcome">
      <ResponsiveContainer width="100%" height="100%">
        <BarChart data={rows} margin={{ top: 4, right: 0, bottom: 0, left: 0 }} accessibilityLayer={false} maxBarSize={40}>
          <defs>
            {seen
              .filter((outcome) => verdictLooks[outcome].hatched)
              .map((outcome) => (
                <pattern
                  key={outcome}
                  id={`hatch-${outcome}`}
                  width="5"
                  height="5"
                  patternUnits="userSpaceOnUse"
                  patternTransform="rotate(45)"
                >
                  <rect width="2.5" height="5" fill={`var(--color-${verdictLooks[outcome].token})`} />
                </pattern>
              ))}
          </defs>
          <CartesianGrid vertical={false} stroke={gridStroke} />
          <XAxis dataKey="day" tick={axisTick} tickLine={false} axisLine={axisLine} minTickGap={16} />
          <YAxis tick={axisTick} tickLine={false} axisLine={false} allowDecimals={false} width={40} />
          <Tooltip {...tooltipLooks} cursor={{ fill: 'var(--color-hover)' }} />
          {stack.map((outcome) => (
            <Bar
              key={outcome}
              dataKey={outcome}
              name={verdictLooks[outcome].word}
              stackId="outcome"
              isAnimationActive={false}
              fill={verdictLooks[outcome].hatched ? `url(#hatch-${outcome})` : `var(--color-${verdictLooks[outcome].token})`}
              stroke="var(--color-surface)"
              strokeWidth={1}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  );
}
