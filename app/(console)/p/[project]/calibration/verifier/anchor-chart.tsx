import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { minSampleSize, measuredText } from '@/app/_ui/rate';
import { TimeChart } from '@/app/_ui/time-chart';
import { plainText } from '@/app/_ui/visible-text';
import type { AnchorRun } from './anchor-words';

const ticks = [0, 0.25, 0.5, 0.75, 1];
const series = [
  { key: 'agreement', name: 'Agreement', color: 'var(--color-series-1)', as: 'line' },
] as const;

/**
 * Agreement with the frozen labels, run by run, the oldest first: several runs of one day are
 * separate steps.
 */
export function AnchorChart({ name, runs }: { name: string; runs: readonly AnchorRun[] }) {
  const dayOf = ({ startedAt }: AnchorRun): string => startedAt.toISOString().slice(0, 10);
  const steps = runs.map((run, index) => {
    const { value, low, high, denominator } = run.agreement;
    return {
      tick: `${index + 1}. ${dayOf(run).slice(5)}`,
      name: `run ${index + 1}, ${dayOf(run)}`,
      values: { agreement: value },
      ...(low !== null && high !== null && { bands: { agreement: [low, high] as const } }),
      few: denominator < minSampleSize ? ['agreement'] : [],
      tooltips: { agreement: textOf(run) },
    };
  });
  return (
    <ChartFrame
      title={`Agreement of ${plainText(name)} by run`}
      description="Agreement of each run with the frozen labels, oldest run first."
      n={`n ${runs.length.toLocaleString('en')} runs`}
      legendNote={`band: 95% interval; hollow: fewer than ${minSampleSize} decided`}
      chart={
        <TimeChart
          label={`Agreement of the runs of ${plainText(name)}, also in the table`}
          steps={steps}
          series={series}
          ticks={ticks}
          text={(share) => `${Math.round(share * 100)}%`}
        />
      }
      empty="No run has ended yet."
      table={
        <DataTable label={`Agreement of ${plainText(name)}`} heads={['Run', 'Agreement']}>
          {runs.toReversed().map((run) => (
            <Row key={run.id}>
              <NameCell>{dayOf(run)}</NameCell>
              <Cell>{textOf(run)}</Cell>
            </Row>
          ))}
        </DataTable>
      }
      data={{
        columns: ['run at', 'agreement', 'low', 'high', 'numerator', 'denominator'],
        rows: runs.map(({ startedAt, agreement: { value, low, high, numerator, denominator } }) => [
          startedAt,
          value,
          low,
          high,
          numerator,
          denominator,
        ]),
      }}
    />
  );
}

function textOf({ agreement }: AnchorRun): string {
  const { rate, interval, counts } = measuredText(agreement);
  return rate === null ? counts : `${rate} (${interval}) ${counts}`;
}
