import type { CheckpointsSummary } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { VisibleText } from '@/app/_ui/visible-text';
import { checkpointName } from '../checkpoint-words';
import { ChartPanel } from './chart-panel';
import { issueNames, issueText, chartLimitText } from './panel-words';
import { MeasuredWords } from './split-panel';

const series = [
  { key: 'passed', name: 'Retries that passed', color: 'var(--color-pass)' },
  { key: 'others', name: 'Retries that did not', color: 'var(--color-series-3)' },
] as const;

/** Most bars drawn; the table has the rest. */
const maxBars = 8;

export function RetryPanel({
  summary: { byIssue, byCheckpoint, retries, from },
}: {
  summary: CheckpointsSummary;
}) {
  const { denominator } = retries.success;
  const names = issueNames(byIssue);
  const limitNote = chartLimitText(maxBars, byIssue.length);
  return (
    <ChartPanel
      title="Retry success by issue type"
      description="Retries by the problem of the previous attempt, and how many of them passed."
      from={from}
      n={`n ${denominator.toLocaleString('en')} retries`}
      label="Retries by the problem of the previous attempt, and how many passed"
      empty="Nothing was retried in this period."
      bars={
        byIssue.length === 0
          ? null
          : {
              series,
              rows: byIssue.slice(0, maxBars).map(({ code, success }, index) => ({
                name: names[index] ?? issueText(code),
                passed: success.numerator,
                others: success.denominator - success.numerator,
              })),
              isStacked: true,
              isLying: true,
            }
      }
      data={{
        columns: ['issue of the previous attempt', 'checkpoint', 'retries that passed', 'retries'],
        rows: byIssue.map(({ kind, code, success }) => [
          issueText(code),
          checkpointName[kind],
          success.numerator,
          success.denominator,
        ]),
      }}
      table={
        <DataTable
          label="Retry success by issue type"
          heads={['Issue of the previous attempt', 'Checkpoint', 'Retries that passed']}
        >
          {byIssue.map(({ kind, code, success }) => (
            <Row key={`${kind} ${code}`}>
              <NameCell>
                <VisibleText text={issueText(code)} />
              </NameCell>
              <Cell>{checkpointName[kind]}</Cell>
              <Cell>
                <MeasuredWords measured={success} />
              </Cell>
            </Row>
          ))}
          {byCheckpoint.map(({ kind, retrySuccess }) => (
            <Row key={kind}>
              <NameCell>All, each once</NameCell>
              <Cell>{checkpointName[kind]}</Cell>
              <Cell>
                <MeasuredWords measured={retrySuccess} />
              </Cell>
            </Row>
          ))}
        </DataTable>
      }
      note={
        denominator === 0 ? null : (
          <>
            Of all retries <MeasuredWords measured={retries.success} /> passed. A retry counts for
            each issue of the previous attempt.
            {limitNote === null ? null : ` ${limitNote}`}
            {retries.unlinked === 0
              ? null
              : ` The previous attempt of ${retries.unlinked.toLocaleString('en')} is unknown.`}
          </>
        )
      }
    />
  );
}
