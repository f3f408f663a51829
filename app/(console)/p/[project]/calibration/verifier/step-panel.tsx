'use client';

import type { ChangeMarks, VerifierDetail } from '@/app/_trpc/outputs';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { groupMarks } from '@/app/_ui/chart-marks';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { MarkList } from '@/app/_ui/mark-list';
import { linked, TimeChart } from '@/app/_ui/time-chart';
import type { Cell as CellName } from '@/server/measures/input';
import { asTimeMark } from '../../change-marks';
import { type About, rowsHref } from '../addresses';
import { MeasureText } from '../measure-text';
import { seriesOf } from './series';
import { rateData, rateSteps } from './step-words';

const percentTicks = [0, 0.25, 0.5, 0.75, 1];

/**
 * Rates by day or week with the changes made in the meantime, as a chart or as a table whose
 * numbers link to their rows.
 */
export function StepPanel({
  about,
  data,
  changes,
}: {
  about: About;
  data: VerifierDetail;
  changes: ChangeMarks;
}) {
  const { steps, step } = data;
  const groups = groupMarks(
    changes.marks.map((mark) => asTimeMark(about.project, mark)),
    steps,
  );
  const labelled = steps.reduce((sum, { rates }) => sum + rates.agreement.denominator, 0);
  return (
    <ChartFrame
      title={step === 'day' ? 'Rates by day' : 'Rates by week'}
      description="Share of bad subjects caught and of good subjects rejected; numbered lines mark configuration changes."
      period={periodText(data.from)}
      n={`n ${labelled.toLocaleString('en')} with known truth`}
      legend={seriesOf}
      swatch="line"
      legendNote="bands: 95% interval; hollow: fewer than 20"
      chart={
        steps.length === 0 ? null : (
          <>
            <TimeChart
              label="Catch rate, false rejections and agreement over time"
              steps={linked(rateSteps(steps, step), (index) => {
                const period = steps[index];
                return period === undefined ? undefined : rowsHref(about, 'labelled', period);
              })}
              series={seriesOf.map((each) => ({ ...each, as: 'line' }))}
              marks={groups}
              ticks={percentTicks}
              text={(share) => `${Math.round(share * 100)}%`}
              size="tall"
            />
            <MarkList groups={groups} isCut={changes.isCut} />
          </>
        )
      }
      empty="Unmeasured in this period."
      table={<StepTable about={about} data={data} />}
      data={rateData(steps)}
    />
  );
}

function StepTable({ about, data }: { about: About; data: VerifierDetail }) {
  const heads = [
    data.step === 'day' ? 'Day' : 'Week from',
    'Catch rate',
    'False rejections (of good subjects)',
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
                <MeasureText
                  name={`catch rate on ${day}`}
                  measure={rates.catchRate}
                  numeratorHref={rows('caught')}
                  denominatorHref={rows('bad')}
                />
              </Cell>
              <Cell>
                <MeasureText
                  name={`false rejections on ${day}`}
                  measure={rates.falseRejectionRate}
                  numeratorHref={rows('rejected')}
                  denominatorHref={rows('good')}
                />
              </Cell>
              <Cell>
                <MeasureText
                  name={`agreement on ${day}`}
                  measure={rates.agreement}
                  numeratorHref={rows('agreed')}
                  denominatorHref={rows('labelled')}
                />
              </Cell>
              <Cell>
                <MeasureText
                  name={`override rate on ${day}`}
                  measure={rates.overrideRate}
                  numeratorHref={rows('overruled')}
                  denominatorHref={rows('ruled')}
                />
              </Cell>
            </Row>
          );
        })}
      </DataTable>
    </div>
  );
}
