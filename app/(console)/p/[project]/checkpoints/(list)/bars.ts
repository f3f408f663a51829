import type { LegendEntry } from '@/app/_ui/chart-frame';

export interface Bars {
  readonly series: readonly LegendEntry[];
  /** `name` labels a bar or a group; a null value draws no bar. */
  readonly rows: readonly ({ readonly name: string } & Readonly<
    Record<string, string | number | null>
  >)[];
  readonly isStacked: boolean;
  /** Horizontal bars, for long names. */
  readonly isLying?: boolean;
  readonly max?: number;
  /** A value as the axis and the tooltip show it. */
  readonly text?: (value: number) => string;
}

/** In pixels; reserved before the chart is loaded. */
export function barsHeight({ isLying = false, rows }: Pick<Bars, 'isLying' | 'rows'>): number {
  return isLying ? Math.max(192, rows.length * 28 + 32) : 192;
}
