import Link from 'next/link';
import type { ComparedRun } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText, durationText } from '../../traces/amounts';
import { ExperimentMark } from '../experiment-state';
import { datasetHref, experimentHref } from '../experiment-words';
import { TargetText } from '../target-text';

/** Cost and latency of each run, with the difference of the mean per item from the baseline. */
export function RunsPanel({ project, runs }: { project: string; runs: readonly ComparedRun[] }) {
  return (
    <Panel title="Cost and latency">
      <DataTable
        label="Cost and latency"
        heads={[
          'Run',
          'State',
          'Dataset',
          'Target',
          'Cost, target and judges',
          'Cost per item, difference',
          'Latency p50, p95',
          'Latency per item, difference',
        ]}
      >
        {runs.map((run, place) => (
          <Row key={run.id}>
            <NameCell>
              <Link href={experimentHref(project, run.id)} prefetch={false} className="underline">
                <VisibleText text={run.name} />
              </Link>
              {place === 0 ? <span className="text-ink-3"> baseline</span> : null}
            </NameCell>
            <Cell>
              <ExperimentMark state={run.state} />
            </Cell>
            <Cell mono>
              <Link
                href={datasetHref(project, run.datasetSlug, run.datasetVersion)}
                prefetch={false}
                className="underline"
              >
                {run.datasetSlug}@{run.datasetVersion}
              </Link>
            </Cell>
            <td className="max-w-64 truncate px-4 whitespace-nowrap">
              <TargetText project={project} target={run.target} />
            </td>
            <Cell>
              {run.costUsd.unknown > 0 ? '≥ ' : ''}
              {costText(run.costUsd.target)}, {costText(run.costUsd.judges)}
            </Cell>
            <Cell>
              <DifferenceText difference={run.costDifference} text={costText} />
            </Cell>
            <Cell>
              {run.latencyMs.p50 === null || run.latencyMs.p95 === null ? (
                <span className="text-ink-3">not measured</span>
              ) : (
                `${durationText(run.latencyMs.p50)}, ${durationText(run.latencyMs.p95)}`
              )}
            </Cell>
            <Cell>
              <DifferenceText difference={run.latencyDifference} text={durationText} />
            </Cell>
          </Row>
        ))}
      </DataTable>
    </Panel>
  );
}

function DifferenceText({
  difference,
  text,
}: {
  difference: ComparedRun['costDifference'];
  text: (value: number) => string;
}) {
  if (difference === null || difference.low === null || difference.high === null)
    return <span className="text-ink-3">{difference?.value === 0 ? 'none' : '–'}</span>;
  const { value, low, high } = difference;
  const signed = (amount: number): string => `${amount < 0 ? '−' : ''}${text(Math.abs(amount))}`;
  return (
    <>
      {signed(value)} ({signed(low)} to {signed(high)})
    </>
  );
}
