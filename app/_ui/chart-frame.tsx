'use client';

import { type ReactNode, useState } from 'react';
import { Button } from './button';
import { useKeys } from './keyboard';
import { Empty, Panel } from './panel';

/** How a series looks in the legend; `mark` stands for the colour where the series has a shape of its own. */
export interface LegendEntry {
  readonly key: string;
  readonly name: string;
  /** A token: `var(--color-series-1)`. Hues of verdicts are for verdicts only. */
  readonly color: string;
  readonly mark?: ReactNode;
}

interface ChartFrameProps {
  title: string;
  /** What the colours mean; none where the chart names its lines itself. */
  legend?: readonly LegendEntry[];
  /** `line`: the series are lines, else areas. */
  swatch?: 'line' | 'area';
  /** Said at the end of the legend: "hollow: fewer than 20". */
  legendNote?: string;
  /** Null where there is nothing to draw. */
  chart: ReactNode | null;
  /** Said where there is nothing to draw. */
  empty: string;
  /** The same in numbers. */
  table: ReactNode;
  /** Whether the table is shown where there is nothing to draw. */
  tableWhenEmpty?: boolean;
  /** What stands beside the numbers: their n, and how many are in none of them. */
  note?: ReactNode;
  /** What stands above the chart and its table alike. */
  head?: ReactNode;
  aside?: ReactNode;
}

/** Every chart of the console stands in this frame: its title, what its colours mean, and, one key away, the table that says the same. */
export function ChartFrame(props: ChartFrameProps) {
  const { title, legend = [], swatch = 'area', legendNote, chart, empty, table, tableWhenEmpty = false, note, head, aside } = props;
  const [asTable, setAsTable] = useState(false);
  useKeys({ t: () => setAsTable((now) => !now) });
  const isEmpty = chart === null && !(asTable && tableWhenEmpty);
  return (
    <Panel
      title={title}
      aside={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {aside}
          {chart === null && !tableWhenEmpty ? null : (
            <Button
              look="quiet"
              aria-label={`${title}: ${asTable ? 'show as chart' : 'show as table'}`}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? 'Show as chart' : 'Show as table'} <kbd className="text-12 text-ink-3 font-mono">t</kbd>
            </Button>
          )}
        </div>
      }
    >
      {head}
      {isEmpty ? (
        <Empty title={empty} />
      ) : asTable || chart === null ? (
        table
      ) : (
        <div className="p-4 pb-2">
          {legend.length === 0 && legendNote === undefined ? null : (
            <Legend entries={legend} swatch={swatch} {...(legendNote !== undefined && { note: legendNote })} />
          )}
          {chart}
        </div>
      )}
      {note ? <p className="text-12 text-ink-3 px-4 pt-1 pb-3">{note}</p> : null}
    </Panel>
  );
}

function Legend({ entries, swatch, note }: { entries: readonly LegendEntry[]; swatch: 'line' | 'area'; note?: string }) {
  return (
    <ul aria-label="Legend" className="text-12 flex flex-wrap gap-x-4 gap-y-1 pb-3">
      {entries.map(({ key, name, color, mark }) => (
        <li key={key} className="flex items-center gap-2">
          {mark ??
            (swatch === 'line' ? (
              <svg width="16" height="8" viewBox="0 0 16 8" aria-hidden="true">
                <path d="M0 4h16" stroke={color} strokeWidth="2" />
              </svg>
            ) : (
              <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
                <rect width="10" height="10" rx="2" fill={color} />
              </svg>
            ))}
          {name}
        </li>
      ))}
      {note === undefined ? null : <li className="text-ink-3">{note}</li>}
    </ul>
  );
}
