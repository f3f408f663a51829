'use client';

import dynamic from 'next/dynamic';
import type { Measure, Simulation } from '@/app/_trpc/outputs';
import type { Problem } from '@/app/_trpc/problem';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { minSampleSize, measuredText } from '@/app/_ui/rate';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { sweepSeries } from './sweep-series';

const SweepChart = dynamic(() => import('./sweep-chart'), { ssr: false });

/** Reserved before the chart is loaded. */
const chartHeightPx = 280;

const rates = ['catchRate', 'falseRejectionRate', 'reviewLoad'] as const;

interface SweepPanelProps {
  /** Null until the sweep is loaded. */
  sweep: Simulation | null;
  current: number;
  /** Null while no candidate is selected. */
  candidate: number | null;
  problem: Problem | null;
  onRetry: () => void;
}

/** The rates at each value of a threshold, as a chart of two of them and a table. */
export function SweepPanel({ sweep, current, candidate, problem, onRetry }: SweepPanelProps) {
  if (sweep === null) {
    return problem === null ? (
      <Skeleton className="h-[420px]" />
    ) : (
      <ErrorPanel
        what="The curve could not be computed"
        works="The numbers for the selected value are still valid."
        problem={problem}
        onRetry={onRetry}
      />
    );
  }
  const points = sweep.candidates.filter(({ fault }) => fault === null);
  const hasTooFew = sweep.labelled < minSampleSize;
  return (
    <ChartFrame
      title="Rates by threshold value"
      description="Catch rate and false rejections at each value; lines mark the current value and the candidate."
      n={`n ${sweep.labelled.toLocaleString('en')} labelled verdicts`}
      legend={sweepSeries}
      swatch="line"
      chart={
        hasTooFew || points.length === 0 ? null : (
          <div
            role="img"
            aria-label={`Catch rate and false rejections by value, from ${plainNumber(points[0]?.value ?? 0)} to ${plainNumber(points.at(-1)?.value ?? 1)}`}
            style={{ height: chartHeightPx }}
          >
            <SweepChart points={points} current={current} candidate={candidate} />
          </div>
        )
      }
      empty={`Fewer than ${minSampleSize} labelled verdicts. The table shows the counts.`}
      tableWhenEmpty
      table={
        <div className="max-h-96 overflow-y-auto">
          <DataTable
            label="Rates by value"
            heads={['Value', 'Catch rate', 'False rejections', 'Review load', 'Cost']}
          >
            {points.map((point) => (
              <Row key={point.value}>
                <NameCell>{plainNumber(point.value)}</NameCell>
                <Cell>
                  <ShareText measure={point.catchRate} />
                </Cell>
                <Cell>
                  <ShareText measure={point.falseRejectionRate} />
                </Cell>
                <Cell>
                  <ShareText measure={point.reviewLoad} />
                </Cell>
                <Cell>{point.cost.toLocaleString('en', { maximumFractionDigits: 2 })}</Cell>
              </Row>
            ))}
          </DataTable>
        </div>
      }
      data={{
        columns: [
          'value',
          ...rates.flatMap((each) => [each, `${each} numerator`, `${each} denominator`]),
          'cost',
        ],
        rows: points.map((point) => [
          point.value,
          ...rates.flatMap((each) => [
            point[each].value,
            point[each].numerator,
            point[each].denominator,
          ]),
          point.cost,
        ]),
      }}
      note="Values that would cross another threshold are omitted."
    />
  );
}

function ShareText({ measure }: { measure: Measure }) {
  const { rate, interval, counts } = measuredText(measure);
  return (
    <span className={rate === null ? 'text-ink-3' : ''}>
      {rate === null ? '' : `${rate} (${interval}) `}
      <span className="text-12">{counts}</span>
    </span>
  );
}
