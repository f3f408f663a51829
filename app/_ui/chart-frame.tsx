'use client';

import { type ReactNode, useId, useRef, useState } from 'react';
import { announce } from './announcer';
import { Button } from './button';
import { type ChartData, chartFileName, csvText } from './chart-data';
import { useKeys } from './keyboard';
import { Empty, Panel } from './panel';
import { saveFile } from './save-file';

/** A series in the legend; `mark` replaces the colour when the series has its own shape. */
export interface LegendEntry {
  readonly key: string;
  readonly name: string;
  /** A token: `var(--color-series-1)`. Verdict colours are reserved for verdicts. */
  readonly color: string;
  readonly mark?: ReactNode;
}

interface ChartFrameProps {
  title: string;
  /** A sentence that describes the chart. */
  description: string;
  /**
   * `2026-11-17 to 2026-11-23 (UTC)`, as written by `periodText`; omitted when the page shows its
   * period above.
   */
  period?: string | undefined;
  /** The sample size: `n 240 verdicts`. */
  n?: string | undefined;
  /** The part of the data it covers: `182 of 240 scored`. */
  part?: string | null | undefined;
  /** The meaning of the colours; none when the chart labels its lines itself. */
  legend?: readonly LegendEntry[];
  /** `line`: the series are lines, else areas. */
  swatch?: 'line' | 'area';
  /** At the end of the legend: "hollow: fewer than 20". */
  legendNote?: string;
  /** Null when there is nothing to draw. */
  chart: ReactNode | null;
  /** Shown when there is nothing to draw. */
  empty: string;
  /** The next step for the user, shown below `empty`. */
  emptyHelp?: ReactNode;
  /** The same numbers as a table. */
  table: ReactNode;
  /** The same numbers for download; times in ISO 8601, shares 0..1. */
  data: ChartData;
  /** Whether the table is shown when there is nothing to draw. */
  tableWhenEmpty?: boolean;
  /** A note below the chart, such as the number of excluded rows. */
  note?: ReactNode;
  /** Shown above both the chart and its table. */
  head?: ReactNode;
  aside?: ReactNode;
}

/** Clips horizontally: a hidden tooltip keeps its position when the page gets narrower. */
const placeClass = 'overflow-x-clip p-4 pt-3 pb-2';

/**
 * The frame of every chart in the console: its title, description, period and legend. The key `t`
 * switches to a table with the same numbers. The numbers can be saved as CSV, the chart as PNG in
 * the theme of the page.
 */
export function ChartFrame(props: ChartFrameProps) {
  const {
    title,
    description,
    period,
    n,
    part,
    legend = [],
    swatch = 'area',
    legendNote,
    chart,
    empty,
    emptyHelp,
    table,
    data,
  } = props;
  const { tableWhenEmpty = false, note, head, aside } = props;
  const [asTable, setAsTable] = useState(false);
  const region = useRef<HTMLDivElement>(null);
  const descriptionId = useId();
  useKeys({ t: () => setAsTable((now) => !now) });
  const isEmpty = chart === null && !(asTable && tableWhenEmpty);
  const isDrawn = !isEmpty && !asTable && chart !== null;
  const facts = [period, n, part].filter((each) => each != null && each !== '').join('; ');
  const savePicture = async () => {
    if (region.current === null) return;
    try {
      const { pictureOf } = await import('./chart-picture');
      const at = new Date();
      const source = `Assay, ${window.location.host}, read ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      saveFile(
        await pictureOf(region.current, {
          title,
          lines: facts === '' ? [description] : [description, facts],
          source,
        }),
        `${chartFileName(title, at)}.png`,
      );
      announce(`${title}: picture saved`);
    } catch {
      announce(`${title}: the picture could not be created; the numbers can still be saved`);
    }
  };
  return (
    <Panel
      title={title}
      aside={
        <div className="flex flex-wrap items-center gap-x-1 gap-y-1">
          {aside}
          {chart === null && !tableWhenEmpty ? null : (
            <Button
              variant="quiet"
              aria-label={`${title}: ${asTable ? 'show as chart' : 'show as table'}`}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? 'Show as chart' : 'Show as table'}{' '}
              <kbd className="text-12 text-ink-3 font-mono">t</kbd>
            </Button>
          )}
          {data.rows.length === 0 || (chart === null && !tableWhenEmpty) ? null : (
            <Button
              variant="quiet"
              aria-label={`${title}: save numbers as CSV`}
              onClick={() => {
                saveFile(
                  new Blob([csvText(data)], { type: 'text/csv;charset=utf-8' }),
                  `${chartFileName(title, new Date())}.csv`,
                );
                announce(`${title}: numbers saved`);
              }}
            >
              CSV
            </Button>
          )}
          {isDrawn ? (
            <Button
              variant="quiet"
              aria-label={`${title}: save picture as PNG`}
              onClick={() => void savePicture()}
            >
              PNG
            </Button>
          ) : null}
        </div>
      }
    >
      <p id={descriptionId} className="text-12 text-ink-2 px-4 pt-2">
        {description}
        {facts === '' ? null : <span className="text-ink-3"> {facts}.</span>}
      </p>
      {head}
      {isEmpty ? (
        <Empty title={empty}>{emptyHelp}</Empty>
      ) : asTable || chart === null ? (
        <div className="pt-2">{table}</div>
      ) : (
        <div
          ref={region}
          role="group"
          aria-label={`${title}, chart`}
          aria-describedby={descriptionId}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys and speech reach it
          tabIndex={0}
          className={placeClass}
        >
          {legend.length === 0 && legendNote === undefined ? null : (
            <Legend
              entries={legend}
              swatch={swatch}
              {...(legendNote !== undefined && { note: legendNote })}
            />
          )}
          {chart}
        </div>
      )}
      {note ? <p className="text-12 text-ink-3 px-4 pt-1 pb-3">{note}</p> : null}
    </Panel>
  );
}

function Legend({
  entries,
  swatch,
  note,
}: {
  entries: readonly LegendEntry[];
  swatch: 'line' | 'area';
  note?: string;
}) {
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
