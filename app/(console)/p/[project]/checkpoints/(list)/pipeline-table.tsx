'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { PipelineRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
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

type Context = Pick<PipelineTableProps, 'project' | 'onOpen'>;

const idOf = (row: PipelineRow): string => row.id;

const columns: readonly Column<PipelineRow, Context>[] = [
  {
    id: 'reported',
    head: 'Reported',
    width: 'w-28',
    variant: 'first',
    cell: (row) => <OutcomeBadge succeeded={row.succeeded} />,
  },
  {
    id: 'request',
    head: 'Request',
    cell: (row, { project, onOpen }) => (
      <>
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
      </>
    ),
  },
  ...checkpointKinds.map(
    (kind): Column<PipelineRow, Context> => ({
      id: kind,
      head: checkpointName[kind],
      width: columnWidth[kind],
      from: 'hidden xl:table-cell',
      cell: (row) => <State row={row} kind={kind} />,
    }),
  ),
  {
    id: 'complexity',
    head: 'Complexity',
    width: 'w-24',
    from: 'hidden xl:table-cell',
    variant: 'quiet',
    cell: (row) => row.complexity ?? '',
  },
  {
    id: 'cost',
    head: 'Verifying / work',
    width: 'w-32',
    from: 'hidden 2xl:table-cell',
    variant: 'number',
    cell: (row) => costsText(row.cost),
  },
  {
    id: 'age',
    head: 'Age',
    width: 'w-14',
    variant: 'last',
    cell: (row) => <Age at={row.lastAt} />,
  },
];

/**
 * One row per request: the result of each checkpoint, and the reported outcome. The query is the
 * link; it covers its row.
 */
export function PipelineTable({ rows, project, onOpen, end }: PipelineTableProps) {
  const context = useMemo(() => ({ project, onOpen }), [project, onOpen]);
  return (
    <RowTable
      label="Pipelines"
      columns={columns}
      context={context}
      rows={rows}
      idOf={idOf}
      end={end}
    />
  );
}

function State({ row, kind }: { row: PipelineRow; kind: CheckpointState['kind'] }) {
  const state = row.checkpoints.find((each) => each.kind === kind);
  if (state === undefined)
    return (
      <span className="text-ink-3">
        {row.origin === 'import' && row.checkpoints.length === 0 ? 'not verified' : 'none'}
      </span>
    );
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
