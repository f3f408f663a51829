import Link from 'next/link';
import type { PipelineRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { checkpointKinds } from '@/server/domain';
import { costText } from '../../traces/amounts';
import { checkpointName, stateText, worstOf } from '../checkpoint-words';
import { OutcomeBadge } from '../outcome-badge';

const columnWidth = { decomposition: 'w-40', 'agent-output': 'w-56', synthesis: 'w-40' } as const;

type CheckpointState = PipelineRow['checkpoints'][number];

interface PipelineTableProps {
  rows: readonly PipelineRow[];
  project: string;
  onOpen: (id: string) => void;
  /** The end of an infinite list. */
  end?: ListEnd;
}

const idOf = (row: PipelineRow): string => row.id;

/**
 * One row per request: the result of each checkpoint, and the reported outcome. The query is the
 * link; it covers its row.
 */
export function PipelineTable({ rows, project, onOpen, end }: PipelineTableProps) {
  return (
    <table
      aria-label="Pipelines"
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-28 pl-4">
            Reported
          </th>
          <th scope="col" className="px-2">
            Request
          </th>
          {checkpointKinds.map((kind) => (
            <th key={kind} scope="col" className={`hidden px-2 xl:table-cell ${columnWidth[kind]}`}>
              {checkpointName[kind]}
            </th>
          ))}
          <th scope="col" className="hidden w-24 px-2 xl:table-cell">
            Complexity
          </th>
          <th scope="col" className="hidden w-32 px-2 text-right 2xl:table-cell">
            Verifying / work
          </th>
          <th scope="col" className="w-14 pr-4 text-right">
            Age
          </th>
        </tr>
      </thead>
      <RowWindow rows={rows} idOf={idOf} end={end}>
        {(row, place) => (
          <tr
            aria-rowindex={place}
            className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
          >
            <td className="pl-4">
              <OutcomeBadge succeeded={row.succeeded} />
            </td>
            <td className="truncate px-2">
              <Marks row={row} />
              <Link
                href={`/p/${project}/checkpoints/${encodeURIComponent(row.id)}`}
                data-row={row.id}
                prefetch={false}
                onClick={() => onOpen(row.id)}
                className="row-link [unicode-bidi:isolate]"
              >
                {row.query === null ? (
                  <code className="text-12 font-mono">{plainText(row.id)}</code>
                ) : (
                  <VisibleText text={row.query.slice(0, 300)} />
                )}
              </Link>
            </td>
            <States row={row} />
            <td className="text-12 text-ink-2 hidden px-2 xl:table-cell">{row.complexity ?? ''}</td>
            <td className="text-12 text-ink-2 hidden px-2 text-right 2xl:table-cell">
              {costsText(row.cost)}
            </td>
            <td className="text-ink-3 pr-4 text-right">
              <Age at={row.lastAt} />
            </td>
          </tr>
        )}
      </RowWindow>
    </table>
  );
}

function States({ row }: { row: PipelineRow }) {
  if (row.origin === 'import' && row.checkpoints.length === 0) {
    return (
      <td
        colSpan={checkpointKinds.length}
        className="text-ink-3 hidden truncate px-2 xl:table-cell"
      >
        recorded, not verified
      </td>
    );
  }
  return checkpointKinds.map((kind) => {
    const state = row.checkpoints.find((each) => each.kind === kind);
    return (
      <td key={kind} className="hidden truncate px-2 xl:table-cell">
        {state === undefined ? <span className="text-ink-3">none</span> : <State state={state} />}
      </td>
    );
  });
}

function State({ state }: { state: CheckpointState }) {
  const text = stateText(state);
  return (
    <span className="flex min-w-0 items-center gap-2" title={text}>
      <VerdictIcon state={worstOf(state).state} />
      <span className="truncate">{text}</span>
    </span>
  );
}

/** On a narrow page only the marks, in the order of the checkpoints. */
function Marks({ row }: { row: PipelineRow }) {
  if (row.checkpoints.length === 0) return null;
  return (
    <span className="mr-2 inline-flex gap-1 align-middle xl:hidden">
      {row.checkpoints.map((state) => (
        <span key={state.kind} title={`${checkpointName[state.kind]}: ${stateText(state)}`}>
          <VerdictIcon state={worstOf(state).state} size={12} />
          <span className="sr-only">
            {checkpointName[state.kind]} {stateText(state)},
          </span>
        </span>
      ))}
    </span>
  );
}

function costsText({ verifyingUsd, workUsd, attempts }: PipelineRow['cost']): string {
  if (attempts === 0) return '';
  return `${costText(verifyingUsd)} / ${workUsd === null ? '?' : costText(workUsd)}`;
}
