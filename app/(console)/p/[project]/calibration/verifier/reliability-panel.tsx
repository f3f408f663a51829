'use client';

import dynamic from 'next/dynamic';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { EstimateText } from '../estimate-text';
import { MeasureText } from '../measure-text';

const ReliabilityChart = dynamic(() => import('./reliability-chart'), { ssr: false });

/** In pixels; reserved before the chart is loaded. */
const chartHeight = 264;

const xNames = {
  confidence: 'confidence of the verifier',
  score: 'score, read as a probability',
} as const;

/** Whether the verifier is right as often as its confidence says (calibration.md 5.6). */
export function ReliabilityPanel({
  reliability,
  from,
}: Pick<CalibrationReport, 'reliability' | 'from'>) {
  const bins = reliability?.bins ?? [];
  return (
    <ChartFrame
      title="Reliability"
      description="Share of correct verdicts at each level of confidence; on the dashed line both are equal."
      period={periodText(from)}
      n={`n ${bins.reduce((sum, { n }) => sum + n, 0).toLocaleString('en')} with known truth`}
      chart={
        reliability === null || bins.every(({ n }) => n === 0) ? null : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
            <p className="text-12 text-ink-3">right</p>
            <div
              role="img"
              aria-label={`Share that was right against ${xNames[reliability.of]}, by bin`}
              style={{ height: chartHeight }}
            >
              <ReliabilityChart bins={bins} xName={xNames[reliability.of]} />
            </div>
            <p className="text-12 text-ink-3 text-right">{xNames[reliability.of]}</p>
          </div>
        )
      }
      legendNote="hollow: fewer than 20; bars: 95% interval"
      empty="Not measured: no labelled verdict has a confidence."
      table={
        <DataTable label="Reliability" heads={['From', 'To', 'Mean confidence', 'Correct']}>
          {bins.map(({ low, high, mean, right, n }) => (
            <Row key={`${low} ${high}`}>
              <NameCell>{low.toFixed(3)}</NameCell>
              <Cell>{high.toFixed(3)}</Cell>
              <Cell>{n === 0 ? <span className="text-ink-3">no data</span> : mean.toFixed(3)}</Cell>
              <Cell>
                <MeasureText
                  name="right"
                  measure={right}
                  numeratorHref={null}
                  denominatorHref={null}
                />
              </Cell>
            </Row>
          ))}
        </DataTable>
      }
      data={{
        columns: ['from', 'to', 'mean confidence', 'correct', 'correct low', 'correct high', 'n'],
        rows: bins.map(({ low, high, mean, right, n }) => [
          low,
          high,
          n === 0 ? null : mean,
          right.value,
          right.low,
          right.high,
          n,
        ]),
      }}
      note={
        reliability === null ? null : (
          <>
            Expected calibration error <EstimateText estimate={reliability.ece} scale="number" />;
            Brier score <EstimateText estimate={reliability.brier} scale="number" />; 0 is best in
            both.
          </>
        )
      }
    />
  );
}
