'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { CallRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { durationText } from '../../traces/amounts';
import { reasonWords, steerNames, verdictWords } from '../gateway-words';

interface CallTableProps {
  project: string;
  rows: readonly CallRow[];
  onOpen: (id: string) => void;
  /** The end of an infinite list. */
  end?: ListEnd;
}

type Context = Pick<CallTableProps, 'project' | 'onOpen'>;

const idOf = (row: CallRow): string => row.id;

export const callColumns: readonly Column<CallRow, Context>[] = [
  {
    id: 'verdict',
    head: 'Verdict',
    width: 'w-36',
    variant: 'first',
    cell: ({ verdict }) => (
      <span className="flex items-center gap-2">
        <VerdictIcon state={verdictWords[verdict].state} />
        <span className="truncate">{verdictWords[verdict].word}</span>
      </span>
    ),
  },
  {
    id: 'reason',
    head: 'Reason',
    width: 'w-40',
    from: 'hidden md:table-cell',
    variant: 'quiet',
    cell: whyText,
  },
  {
    id: 'session',
    head: 'Session',
    cell: (row, { project, onOpen }) => (
      <Link
        href={`/p/${project}/gateway/sessions/${encodeURIComponent(row.sessionId)}#${encodeURIComponent(row.id)}`}
        data-row={row.id}
        prefetch={false}
        onClick={() => onOpen(row.id)}
        className="row-link text-12 font-mono [unicode-bidi:isolate]"
      >
        <VisibleText text={row.sessionId} />
      </Link>
    ),
  },
  {
    id: 'route',
    head: 'Route',
    width: 'w-28',
    from: 'hidden xl:table-cell',
    cell: (row) => row.route,
  },
  {
    id: 'model',
    head: 'Model',
    width: 'w-40',
    from: 'hidden xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.model ?? ''),
    cell: (row) => <VisibleText text={row.model ?? ''} />,
  },
  {
    id: 'delay',
    head: 'Delay',
    width: 'w-24',
    from: 'hidden xl:table-cell',
    variant: 'number',
    cell: (row) => (row.deliveryDelayMs === null ? '' : durationText(row.deliveryDelayMs)),
  },
  {
    id: 'duration',
    head: 'Duration',
    width: 'w-24',
    from: 'hidden md:table-cell',
    variant: 'number',
    cell: (row) => durationText(row.durationMs),
  },
  { id: 'age', head: 'Age', width: 'w-14', variant: 'last', cell: (row) => <Age at={row.at} /> },
];

/** One row per call. It links to its place in its session. */
export function CallTable({ project, onOpen, rows, end }: CallTableProps) {
  const context = useMemo(() => ({ project, onOpen }), [project, onOpen]);
  return (
    <RowTable
      label="Calls"
      name="calls"
      columns={callColumns}
      context={context}
      rows={rows}
      idOf={idOf}
      end={end}
    />
  );
}

/** Why it was not verified, or the result of the verifier's note. */
function whyText({ reason, steer, status }: CallRow): string {
  if (status >= 400) return `status ${status}`;
  if (reason !== null) return reasonWords[reason];
  return steer === null ? '' : steerNames[steer];
}
