import type { ScoreHistogram } from '@/app/_trpc/outputs';
import type { ChartData } from '@/app/_ui/chart-data';

type Bin = ScoreHistogram['bins'][number];

const all = [
  { key: 'others', name: 'Did not fail', color: 'var(--color-series-1)' },
  { key: 'failed', name: 'Failed', color: 'var(--color-fail)' },
  { key: 'unclassified', name: 'Unclassified', color: 'var(--color-series-3)' },
] as const;
export type ScoreSeries = (typeof all)[number];

/** The parts of the bars; the lowest first. */
export function scoreSeries({ bins }: Pick<ScoreHistogram, 'bins'>): ScoreSeries[] {
  return all.filter(({ key }) => bins.some((bin) => partsOf(bin)[key] > 0));
}

/** A bar split into its parts. */
export const partsOf = ({
  count,
  failed,
  unclassified,
}: Bin): Record<ScoreSeries['key'], number> => ({
  others: count - failed - unclassified,
  failed,
  unclassified,
});

/** `0.70–0.75` */
export function binText({ low, high }: Pick<Bin, 'low' | 'high'>): string {
  const text = (value: number): string => (high > 10 ? value.toFixed(0) : value.toFixed(2));
  return `${text(low)}–${text(high)}`;
}

export function scorePart({
  spread,
  verdicts,
}: Pick<ScoreHistogram, 'spread' | 'verdicts'>): string | null {
  return spread.n >= verdicts
    ? null
    : `${spread.n.toLocaleString('en')} of ${verdicts.toLocaleString('en')} verdicts scored`;
}

export function scoreData({ bins }: Pick<ScoreHistogram, 'bins'>): ChartData {
  return {
    columns: ['score from', 'score to', 'failed', 'did not fail', 'unclassified', 'all'],
    rows: bins.map((bin) => {
      const { failed, others, unclassified } = partsOf(bin);
      // Removes floating-point noise from multiples such as 3 * 0.05.
      return [
        Number(bin.low.toFixed(6)),
        Number(bin.high.toFixed(6)),
        failed,
        others,
        unclassified,
        bin.count,
      ];
    }),
  };
}

export interface PlacedLine {
  readonly name: string;
  readonly value: number;
  /** Row of its label, from the plot upwards: labels that would overlap are stacked. */
  readonly row: number;
  /** The label ends at its line instead of beginning there, when there is no room on the right. */
  readonly toLeft: boolean;
}

/** The largest share of the width that a label takes on a narrow page. */
const nameShare = 0.42;

/** Positions the lines of thresholds, from left to right. Pure. */
export function placeLines(thresholds: ScoreHistogram['thresholds'], max: number): PlacedLine[] {
  const rows: (readonly [number, number])[][] = [];
  return thresholds
    .toSorted((a, b) => a.value - b.value)
    .map(({ key, value }) => {
      const toLeft = value > max * 0.55;
      const width = max * nameShare;
      const place = toLeft ? ([value - width, value] as const) : ([value, value + width] as const);
      const free = rows.findIndex((taken) =>
        taken.every(([from, to]) => to <= place[0] || from >= place[1]),
      );
      const row = free === -1 ? rows.length : free;
      rows[row] = [...(rows[row] ?? []), place];
      return { name: key.replaceAll('_', ' '), value, row, toLeft };
    });
}
