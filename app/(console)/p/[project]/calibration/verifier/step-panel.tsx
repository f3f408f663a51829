'use client';

import dynamic from 'next/dynamic';
import type { VerifierDetail } from '@/app/_trpc/outputs';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import type { Cell as CellName } from '@/server/calibration/input';
import { type About, rowsHref } from '../addresses';
import { MeasureText } from '../measure-text';
import { seriesOf } from './series';

const StepChart = dynamic(() => import('./step-chart'), { ssr: false, loading: () => <div className="h-56" /> });

/** Rates by day or week, as a chart and, one key away, as a table whose numbers lead to their rows. */
export function StepPanel({ about, data }: { about: About; data: VerifierDetail }) {
  return (
    <ChartFrame
      title={data.step === 'day' ? 'By day' : 'By week'}
      legend={seriesOf}
      swatch="line"
      legendNote="hollow: fewer than 20"
      chart={data.steps.length === 0 ? null : <StepChart steps={data.steps} />}
      empty="Unmeasured in this period."
      table={<StepTable about={about} data={data} />}
    />
  );
}

function StepTable({ about, data }: { about: About; data: VerifierDetail }) {
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
