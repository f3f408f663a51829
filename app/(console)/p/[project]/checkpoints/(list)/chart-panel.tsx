'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import { type ChartData, periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { type Bars, barsHeight } from './bars';

const BarPanelChart = dynamic(() => import('./bar-panel-chart'), { ssr: false });

interface ChartPanelProps {
  title: string;
  /** One sentence: the meaning of the bars, the period, and n. */
  description: string;
  from: Date;
  n: string;
  part?: string | null;
  /** The bars in words, for screen readers. */
  label: string;
  /** Null when there is nothing to draw. */
  bars: Bars | null;
  empty: string;
  /** The same numbers as a table. */
  table: ReactNode;
  /** The same numbers for download. */
  data: ChartData;
  /** How many rows are excluded from the numbers. */
  note?: ReactNode;
}

/** Bars in the common frame of charts. */
export function ChartPanel({
  title,
  description,
  from,
  n,
  part = null,
  label,
  bars,
  empty,
  table,
  data,
  note,
}: ChartPanelProps) {
  return (
    <ChartFrame
      title={title}
      description={description}
      period={periodText(from)}
      n={n}
      part={part}
      legend={bars?.series ?? []}
      chart={
        bars === null ? null : (
          <div role="img" aria-label={label} style={{ height: barsHeight(bars) }}>
            <BarPanelChart bars={bars} />
          </div>
        )
      }
      empty={empty}
      table={table}
      data={data}
      tableWhenEmpty
      note={note}
    />
  );
}
