'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { useKeys } from '@/app/_ui/keyboard';
import { Empty, Panel } from '@/app/_ui/panel';
import type { Bars } from './bar-panel-chart';

const BarPanelChart = dynamic(() => import('./bar-panel-chart'), { ssr: false, loading: () => <div className="h-48" /> });

interface ChartPanelProps {
  title: string;
  /** What the bars say, for who does not see them. */
  label: string;
  /** Null where there is nothing to draw. */
  bars: Bars | null;
  empty: string;
  /** The same in numbers. */
  table: ReactNode;
  /** What stands beside the numbers: how many are in none of them. */
  note?: ReactNode;
}

/** A chart and, one key away, the table that says the same. */
export function ChartPanel({ title, label, bars, empty, table, note }: ChartPanelProps) {
  const [asTable, setAsTable] = useState(false);
  useKeys({ t: () => setAsTable((now) => !now) });
  return (
    <Panel
      title={title}
      aside={
        <Button look="quiet" aria-label={`${title}: ${asTable ? 'show as chart' : 'show as table'}`} onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'} <kbd className="text-12 text-ink-3 font-mono">t</kbd>
        </Button>
      }
    >
      {bars === null && !asTable ? (
        <Empty title={empty} />
      ) : asTable || bars === null ? (
        table
      ) : (
        <div className="p-4 pb-2">
          <ul aria-label="Legend" className="text-12 flex flex-wrap gap-x-4 gap-y-1 pb-3">
            {bars.series.map(({ key, name, color, mark }) => (
              <li key={key} className="flex items-center gap-2">
                {mark ?? (
                  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
                    <rect width="10" height="10" rx="2" fill={color} />
                  </svg>
                )}
                {name}
              </li>
            ))}
          </ul>
          <BarPanelChart label={label} bars={bars} />
        </div>
      )}
      {note ? <p className="text-12 text-ink-3 px-4 pt-1 pb-3">{note}</p> : null}
    </Panel>
  );
}
