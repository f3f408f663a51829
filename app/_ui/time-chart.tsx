'use client';

import dynamic from 'next/dynamic';
import type { LegendEntry } from './chart-frame';
import type { MarkGroup } from './chart-marks';

/** One day, week or hour. */
export interface TimeStep {
  /** At the axis: short. */
  readonly tick: string;
  /** Over what the pointer shows. */
  readonly name: string;
  /** By the key of the series; null or not there: no data. */
  readonly values: Readonly<Record<string, number | null>>;
  /** Low and high of the series that have an interval. */
  readonly bands?: Readonly<Record<string, readonly [number, number]>>;
  /** Series of which fewer than 20 stand behind the value: drawn hollow. */
  readonly few?: readonly string[];
  /** What the pointer shows of a series, where it is more than the value. */
  readonly said?: Readonly<Record<string, string>>;
}

export interface TimeSeries extends LegendEntry {
  /** Bars of one chart stand on each other. */
  readonly as: 'bar' | 'line';
  readonly isHatched?: boolean;
}

export interface TimePlot {
  /** What the chart says, for who does not see it. */
  readonly label: string;
  readonly steps: readonly TimeStep[];
  /** Bars in the order in which they stand on each other, the lowest first. */
  readonly series: readonly TimeSeries[];
  readonly marks?: readonly MarkGroup[];
  /** The end of the axis and its ticks; left out: by the values. */
  readonly ticks?: readonly number[];
  /** Whole numbers only. */
  readonly isCount?: boolean;
  readonly text?: (value: number) => string;
  readonly size?: TimeSize;
}

export type TimeSize = keyof typeof heights;
/** In pixels; a frame has its height before its chart is there. */
export const heights = { low: 112, usual: 200, tall: 240 } as const;

const Drawn = dynamic(() => import('./time-chart-drawn'), { ssr: false });

/**
 * Bars and lines over steps of time. The library that draws them comes when a page needs it, and
 * into a place of its final size.
 */
export function TimeChart(plot: TimePlot) {
  return (
    <div role="img" aria-label={plot.label} style={{ height: heights[plot.size ?? 'usual'] }}>
      <Drawn plot={plot} />
    </div>
  );
}
