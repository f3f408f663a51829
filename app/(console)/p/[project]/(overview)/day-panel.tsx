'use client';

import dynamic from 'next/dynamic';
import type { Overview } from '@/app/_trpc/outputs';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { outcomeOrder, verdictLooks } from '@/app/_ui/verdict-looks';
import { VerdictIcon } from '@/app/_ui/verdict-mark';

const DayChart = dynamic(() => import('./day-chart'), { ssr: false, loading: () => <div className="h-48" /> });

export type Day = Overview['byDay'][number];

export function DayPanel({ byDay }: { byDay: readonly Day[] }) {
  const seen = outcomeOrder.filter((outcome) => byDay.some((day) => day.outcomes[outcome] > 0));
  return (
    <ChartFrame
      title="Verdicts per day"
      legend={seen.map((outcome) => ({
        key: outcome,
        name: verdictLooks[outcome].word,
        color: `var(--color-${verdictLooks[outcome].token})`,
        mark: <VerdictIcon state={outcome} size={12} />,
      }))}
      chart={seen.length === 0 ? null : <DayChart byDay={byDay} seen={seen} />}
      empty="No verdict in this period."
      table={<DayTable byDay={byDay} seen={seen} />}
    />
  );
}

function DayTable({ byDay, seen }: { byDay: readonly Day[]; seen: readonly (typeof outcomeOrder)[number][] }) {
  return (
    // Scrolls by itself on a narrow page, so the keyboard must reach it.
    <div className="max-h-64 overflow-auto" tabIndex={0} role="region" aria-label="Verdicts per day, table">
      <table className="w-full border-collapse">
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            <th scope="col" className="px-4">
              Day
            </th>
            {seen.map((outcome) => (
              <th key={outcome} scope="col" className="px-2 text-right">
                <span className="inline-flex items-center gap-1">
                  <VerdictIcon state={outcome} size={12} />
                  {verdictLooks[outcome].word}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byDay.toReversed().map((day) => (
            <tr key={day.day} className="border-line h-8 border-b last:border-0">
              <th scope="row" className="px-4 font-normal whitespace-nowrap">
                {day.day}
              </th>
              {seen.map((outcome) => (
                <td key={outcome} className="px-2 text-right">
                  {day.outcomes[outcome].toLocaleString('en')}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
