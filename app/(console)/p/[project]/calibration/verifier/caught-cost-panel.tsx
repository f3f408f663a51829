'use client';

import type { CaughtCosts } from '@/app/_trpc/outputs';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { minSampleSize } from '@/app/_ui/rate';
import { linked, TimeChart } from '@/app/_ui/time-chart';
import { costText } from '../../traces/amounts';
import { filterQuery } from '../../verdicts/filters';
import type { About } from '../addresses';
import { caughtText, costData, costSteps } from './caught-cost-words';

const [cost, flagged, caught] = [
  'var(--color-series-2)',
  'var(--color-series-3)',
  'var(--color-series-1)',
];

/** The cost of judging next to its results: the same weeks three times, each on its own scale. */
export function CaughtCostPanel({ about, costs }: { about: About; costs: CaughtCosts }) {
  const { steps, step, from } = costs;
  const linkedSteps = linked(costSteps(costs), (index) => {
    const period = steps[index];
    const { project, verifier } = about;
    return period === undefined
      ? undefined
      : `/p/${project}/verdicts${filterQuery({ verifier, outcome: ['failed'], from: period.from, to: period.to })}`;
  });
  const judged = steps.reduce((sum, each) => sum + each.judged, 0);
  const labelled = steps.reduce((sum, each) => sum + each.flaggedLabelled, 0);
  const flaggedAll = steps.reduce((sum, each) => sum + each.flagged, 0);
  const count = (value: number): string => value.toLocaleString('en');
  return (
    <ChartFrame
      title="Cost of judging against defects caught"
      description={`Cost of judging by ${step}, the flagged verdicts, the defects among them, and the cost per caught defect.`}
      period={periodText(from)}
      n={`n ${count(judged)} judged by a model`}
      part={`truth known of ${count(labelled)} of ${count(flaggedAll)} flagged`}
      chart={
        steps.length === 0 ? null : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
            <Strip name="Cost of judging, US dollars">
              <TimeChart
                label={`Cost of judging by ${step}`}
                steps={linkedSteps}
                series={[{ key: 'usd', name: 'Cost of judging', color: cost, as: 'bar' }]}
                text={costText}
                size="low"
              />
            </Strip>
            <Strip name="Flagged (grey), and defects among them (points), estimated from the labels of flagged subjects">
              <TimeChart
                label={`Flagged and caught by ${step}`}
                steps={linkedSteps}
                series={[
                  { key: 'flagged', name: 'Flagged', color: flagged, as: 'bar' },
                  { key: 'caught', name: 'Caught', color: caught, as: 'line' },
                ]}
                isCount
                size="low"
              />
            </Strip>
            <Strip name={`US dollars a caught defect; from ${minSampleSize} labels on`}>
              <TimeChart
                label={`Cost of one caught defect by ${step}`}
                steps={linkedSteps}
                series={[{ key: 'each', name: 'One caught defect', color: caught, as: 'line' }]}
                text={costText}
                size="low"
              />
            </Strip>
          </div>
        )
      }
      empty="Nothing was judged by a model or flagged in this period."
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            label="Cost and defects caught"
            heads={[
              step === 'day' ? 'Day' : 'Week from',
              'Judging',
              'Judged',
              'Flagged',
              'Caught',
              'Per caught',
            ]}
          >
            {steps.toReversed().map((each) => (
              <Row key={each.from.toISOString()}>
                <NameCell>{each.from.toISOString().slice(0, 10)}</NameCell>
                <Cell>{costText(each.usd)}</Cell>
                <Cell>{count(each.judged)}</Cell>
                <Cell>{count(each.flagged)}</Cell>
                <Cell>{caughtText(each)}</Cell>
                <Cell>
                  {each.usdPerCaught === null ? (
                    <span className="text-ink-3">no data</span>
                  ) : (
                    costText(each.usdPerCaught)
                  )}
                </Cell>
              </Row>
            ))}
          </DataTable>
        </div>
      }
      data={costData(costs)}
      note="Costs of judging are accurate to 2% of their value, of all versions together; calls to a model with an unknown price count as zero."
    />
  );
}

function Strip({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-12 text-ink-2">{name}</p>
      {children}
    </div>
  );
}
