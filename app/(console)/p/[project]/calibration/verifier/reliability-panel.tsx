'use client';

import dynamic from 'next/dynamic';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { EstimateText } from '../estimate-text';
import { MeasureText } from '../measure-text';

const ReliabilityChart = dynamic(() => import('./reliability-chart'), { ssr: false, loading: () => <div className="h-72" /> });

const xNames = { confidence: 'confidence of the verifier', score: 'score, read as a probability' } as const;

/** Whether what the verifier is sure of is right that often (calibration.md 5.6). */
export function ReliabilityPanel({ reliability }: Pick<CalibrationReport, 'reliability'>) {
  const bins = reliability?.bins ?? [];
  return (
    <ChartFrame
      title="Reliability"
      chart={
        reliability === null || bins.every(({ n }) => n === 0) ? null : <ReliabilityChart bins={bins} xName={xNames[reliability.of]} />
      }
      legendNote="hollow: fewer than 20; bars: 95 % interval"
      empty="Not measured: nothing that has truth says how sure the verifier was."
      table={
        <DataTable label="Reliability" heads={['From', 'To', 'Said on average', 'Right']}>
          {bins.map(({ low, high, mean, right, n }) => (
            <Row key={`${low} ${high}`}>
              <NameCell>{low.toFixed(3)}</NameCell>
              <Cell>{high.toFixed(3)}</Cell>
              <Cell>{n === 0 ? <span className="text-ink-3">no data</span> : mean.toFixed(3)}</Cell>
              <Cell>
                <MeasureText name="right" measure={right} part={null} whole={null} />
              </Cell>
            </Row>
          ))}
        </DataTable>
      }
      note={
        reliability === null ? null : (
          <>
            Expected calibration error <EstimateText estimate={reliability.ece} scale="number" />; Brier score{' '}
            <EstimateText estimate={reliability.brier} scale="number" />; 0 is best in both.
          </>
        )
      }
    />
  );
}
