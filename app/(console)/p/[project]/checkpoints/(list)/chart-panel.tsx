'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { ChartFrame } from '@/app/_ui/chart-frame';
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

/** Bars in the frame of all charts. */
export function ChartPanel({ title, label, bars, empty, table, note }: ChartPanelProps) {
  return (
    <ChartFrame
      title={title}
      legend={bars?.series ?? []}
      chart={bars === null ? null : <BarPanelChart label={label} bars={bars} />}
      empty={empty}
      table={table}
      tableWhenEmpty
      note={note}
    />
  );
}
