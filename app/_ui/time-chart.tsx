'use client';

import dynamic from 'next/dynamic';
import type { LegendEntry } from './chart-frame';
import type { MarkGroup } from './chart-marks';

/** One day, week or hour. */
export interface TimeStep {
  /** The short label on the axis. */
  readonly tick: string;
  /** Heading of the tooltip. */
  readonly name: string;
  /** By the key of the series; null or absent if there is no data. */
  readonly values: Readonly<Record<string, number | null>>;
  /** Low and high of the series with an interval. */
  readonly bands?: Readonly<Record<string, readonly [number, number]>>;
  /** Series whose value has n under 20: drawn hollow. */
  readonly few?: readonly string[];
  /** The tooltip's text for a series, if it is more than the value. */
  readonly tooltips?: Readonly<Record<string, string>>;
  /** The page of the rows behind it, opened by a click; the chart's table has the same links. */
  readonly href?: string;
}

/** The steps with the pages of their rows. */
export const linked = <Step extends TimeStep>(
  steps: readonly Step[],
  hrefAt: (index: number) => string | undefined,
): Step[] =>
  steps.map((step, index) => {
    const href = hrefAt(index);
    return href === undefined ? step : { ...step, href };
  });

export interface TimeSeries extends LegendEntry {
  /** Bars of one chart are stacked. */
  readonly as: 'bar' | 'line';
  readonly isHatched?: boolean;
}

export interface TimePlot {
  /** The chart in words, for screen readers. */
  readonly label: string;
  readonly steps: readonly TimeStep[];
  /** Bars in stacking order, the lowest first. */
  readonly series: readonly TimeSeries[];
  readonly marks?: readonly MarkGroup[];
  /** The ticks up to the end of the axis; omitted: from the values. */
  readonly ticks?: readonly number[];
  /** Whole numbers only. */
  readonly isCount?: boolean;
  readonly text?: (value: number) => string;
  readonly size?: TimeSize;
}

export type TimeSize = keyof typeof heights;
/** In pixels; a frame reserves the height before its chart is loaded. */
export const heights = { low: 112, medium: 200, tall: 240 } as const;

const LazyChart = dynamic(() => import('./time-chart-impl'), { ssr: false });

/**
 * Bars and lines over time. The chart library is loaded when a page needs it, into a space of its
 * final size.
 */
export function TimeChart(plot: TimePlot) {
  return (
    <div role="img" aria-label={plot.label} style={{ height: heights[plot.size ?? 'medium'] }}>
      <LazyChart plot={plot} />
    </div>
  );
}
