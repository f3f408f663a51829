'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { VerifierMeasures } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { useKeys } from '@/app/_ui/keyboard';
import { Empty, Panel } from '@/app/_ui/panel';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import type { Cell as CellName } from '@/server/calibration/input';
import { type About, rowsHref } from '../addresses';
import { MeasureText } from '../measure-text';
import { seriesOf } from './series';

const StepChart = dynamic(() => import('./step-chart'), { ssr: false, loading: () => <div className="h-56" /> });

/** Rates by day or week, as a chart and, one key away, as a table whose numbers lead to their rows. */
export function StepPanel({ about, data }: { about: About; data: VerifierMeasures }) {
  const [asTable, setAsTable] = useState(false);
  useKeys({ t: () => setAsTable((now) => !now) });
  return (
    <Panel
      title={data.step === 'day' ? 'By day' : 'By week'}
      aside={
        <Button look="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? 'Show as chart' : 'Show as table'} <kbd className="text-12 text-ink-3 font-mono">t</kbd>
        </Button>
      }
    >
      {data.steps.length === 0 ? (
        <Empty title="Unmeasured in this period." />
      ) : asTable ? (
        <StepTable about={about} data={data} />
      ) : (
        <div className="p-4">
          <ul aria-label="Legend" className="text-12 flex flex-wrap gap-x-4 gap-y-1 pb-3">
            {seriesOf.map(({ key, name, color }) => (
              <li key={key} className="flex items-center gap-2">
                <svg width="16" height="8" viewBox="0 0 16 8" aria-hidden="true">
                  <path d="M0 4h16" stroke={color} strokeWidth="2" />
                </svg>
                {name}
              </li>
            ))}
            <li className="text-ink-3">hollow: fewer than 20</li>
          </ul>
          <StepChart steps={data.steps} />
        </div>
      )}
    </Panel>
  );
}

function StepTable({ about, data }: { about: About; data: VerifierMeasures }) {
  const heads = [
    data.step === 'day' ? 'Day' : 'Week from',
    'Catch rate',
    'False rejections (good ones rejected)',
    'Agreement',
    'Override rate',
  ];
  return (
    <div className="max-h-96 overflow-y-auto">
      <DataTable label="Rates over time" heads={heads}>
        {data.steps.toReversed().map(({ from, to, rates }) => {
          const rows = (cell: CellName): string => rowsHref(about, cell, { from, to });
          const day = from.toISOString().slice(0, 10);
          return (
            <Row key={day}>
              <NameCell>{day}</NameCell>
              <Cell>
                <MeasureText name={`catch rate on ${day}`} measure={rates.catchRate} part={rows('caught')} whole={rows('bad')} />
              </Cell>
              <Cell>
                <MeasureText
                  name={`false rejections on ${day}`}
                  measure={rates.falseRejectionRate}
                  part={rows('rejected')}
                  whole={rows('good')}
                />
              </Cell>
              <Cell>
                <MeasureText name={`agreement on ${day}`} measure={rates.agreement} part={rows('agreed')} whole={rows('labelled')} />
              </Cell>
              <Cell>
                <MeasureText name={`override rate on ${day}`} measure={rates.overrideRate} part={rows('overruled')} whole={rows('ruled')} />
              </Cell>
            </Row>
          );
        })}
      </DataTable>
    </div>
  );
}
