import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { rateText } from '@/app/_ui/rate';
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
      says="Verdicts of each checkpoint, stacked by what they said."
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
              // The passes carry the stack; what failed stands on top of them, where it is seen.
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
          {byCheckpoint.map(({ kind, pass, retry, fail, undecided: open }) => (
            <Row key={kind}>
              <NameCell>{checkpointName[kind]}</NameCell>
              {[pass, retry, fail].map((count, index) => (
                <Cell key={index}>
                  <RateWords k={count} n={pass + retry + fail} />
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
          : `${undecided.toLocaleString('en')} more could not be decided and are in no rate.`
      }
    />
  );
}

/** A rate with its interval and counts; under n = 20 counts only. */
export function RateWords({ k, n }: { k: number; n: number }) {
  const { counts, rate, interval } = rateText(k, n);
  if (n === 0) return <span className="text-ink-3">no data</span>;
  return (
    <>
      {rate === null ? null : `${rate} (${interval}) `}
      <span className="text-12 text-ink-2">{counts}</span>
    </>
  );
}
