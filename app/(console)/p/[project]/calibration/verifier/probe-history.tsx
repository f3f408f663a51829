import type { ProbeRun } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { findingText, probeStateText } from './probe-words';

interface ProbeHistoryProps {
  name: string;
  runs: readonly ProbeRun[];
  onOpen: (id: string) => void;
}

/** Runs before the last finished one, newest first, including failed and cancelled ones. */
export function ProbeHistory({ name, runs, onOpen }: ProbeHistoryProps) {
  if (runs.length === 0) return null;
  return (
    <details className="border-line border-t">
      <summary className="text-ink-2 cursor-pointer px-4 py-2">
        {runs.length === 1 ? '1 other run' : `${runs.length.toLocaleString('en')} other runs`}
      </summary>
      <DataTable
        label={`Other runs of ${name}`}
        heads={['Run', 'State', 'Found', 'Judged by', 'Cost', '']}
      >
        {runs.map((run) => (
          <Row key={run.id}>
            <NameCell>
              <Moment at={run.startedAt} />
            </NameCell>
            <Cell>
              {probeStateText[run.state]}
              {run.state === 'done'
                ? ''
                : `, ${run.done.toLocaleString('en')} of ${run.total.toLocaleString('en')}`}
            </Cell>
            <td className="min-w-56 px-4 py-2 [overflow-wrap:anywhere]">
              {run.findings === null ? (
                run.reason === null ? (
                  <span className="text-ink-3">nothing</span>
                ) : (
                  <VisibleText text={run.reason} />
                )
              ) : (
                findingText(run.findings)
              )}
            </td>
            <Cell mono>
              {run.verifier}
              {run.judge === null ? null : (
                <>
                  {', '}
                  <VisibleText text={run.judge} />
                </>
              )}
            </Cell>
            <Cell>{costText(run.costUsd)}</Cell>
            <Cell end>
              {run.total === 0 ? null : (
                <Button
                  variant="quiet"
                  aria-label={`What was judged, run ${run.id}`}
                  onClick={() => onOpen(run.id)}
                >
                  What was judged
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </DataTable>
    </details>
  );
}
