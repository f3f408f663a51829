import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { measuredText } from '@/app/_ui/rate';
import { type Rate, rate } from '@/server/domain';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { checkpointName } from '../checkpoint-words';
import { ChartPanel } from './chart-panel';

const series = [
  {
    key: 'fail',
    name: 'FAIL',
    color: 'var(--color-fail)',
    mark: <VerdictIcon state="failed" size={12} />,
  },
  {
    key: 'retry',
    name: 'RETRY',
    color: 'var(--color-review)',
    mark: <VerdictIcon state="needs_review" size={12} />,
  },
  {
    key: 'pass',
    name: 'PASS',
    color: 'var(--color-pass)',
    mark: <VerdictIcon state="passed" size={12} />,
  },
] as const;

export function SplitPanel({ summary: { byCheckpoint, from } }: { summary: CheckpointsSummary }) {
  const decided = byCheckpoint.reduce((sum, { pass, retry, fail }) => sum + pass + retry + fail, 0);
  const undecided = byCheckpoint.reduce((sum, each) => sum + each.undecided, 0);
  return (
    <ChartPanel
      title="PASS, RETRY, FAIL"
      description="Verdicts of each checkpoint, stacked by verdict."
      from={from}
      n={`n ${decided.toLocaleString('en')} verdicts`}
      part={
        undecided === 0
          ? null
          : `${decided.toLocaleString('en')} of ${(decided + undecided).toLocaleString('en')} decided`
      }
      label="Verdicts by checkpoint, stacked by PASS, RETRY and FAIL"
      empty="No checkpoint gave a verdict in this period."
      bars={
        decided === 0
          ? null
          : {
              // Passes are at the bottom of the stack, failures on top of them where they are
              // visible.
              series: series.toReversed(),
              rows: byCheckpoint.map(({ kind, pass, retry, fail }) => ({
                name: checkpointName[kind],
                pass,
                retry,
                fail,
              })),
              isStacked: true,
            }
      }
      data={{
        columns: ['checkpoint', 'PASS', 'RETRY', 'FAIL', 'inconclusive'],
        rows: byCheckpoint.map(({ kind, pass, retry, fail, undecided: open }) => [
          checkpointName[kind],
          pass,
          retry,
          fail,
          open,
        ]),
      }}
      table={
        <DataTable
          label="Verdicts by checkpoint"
          heads={['Checkpoint', 'PASS', 'RETRY', 'FAIL', 'Inconclusive']}
        >
          {byCheckpoint.map(({ kind, pass, retry, fail, weights, undecided: open }) => (
            <Row key={kind}>
              <NameCell>{checkpointName[kind]}</NameCell>
              {(
                [
                  [pass, weights.pass],
                  [retry, weights.retry],
                  [fail, weights.fail],
                ] as const
              ).map(([count, each], index) => (
                <Cell key={index}>
                  <RateWords k={count} n={pass + retry + fail} weight={each} />
                </Cell>
              ))}
              <Cell>{open.toLocaleString('en')}</Cell>
            </Row>
          ))}
        </DataTable>
      }
      note={
        undecided === 0
          ? null
          : `${undecided.toLocaleString('en')} more are undecided and excluded from all rates.`
      }
    />
  );
}

/** A rate with its interval and counts; under n = 20 only counts. */
export function RateWords({ k, n, weight = 1 }: { k: number; n: number; weight?: number }) {
  return <MeasuredWords measured={rate(k, n, weight)} />;
}

/** The same for a rate with a given interval. */
export function MeasuredWords({ measured }: { measured: Rate }) {
  const { counts, rate: share, interval } = measuredText(measured);
  if (measured.state === 'no_data') return <span className="text-ink-3">no data</span>;
  return (
    <>
      {share === null ? null : `${share} (${interval}) `}
      <span className="text-12 text-ink-2">{counts}</span>
    </>
  );
}
