'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { SessionRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { countText } from '../../traces/amounts';
import { sessionCostText } from '../session-cost';
import { CodeBadge, ExternalBadge, SessionMark } from '../session-mark';

interface SessionTableProps {
  rows: readonly SessionRow[];
  project: string;
  onOpen: (id: string) => void;
  /** The end of an infinite list. */
  end?: ListEnd;
}

type Context = Pick<SessionTableProps, 'project' | 'onOpen'>;

const idOf = (row: SessionRow): string => row.id;

export const sessionColumns: readonly Column<SessionRow, Context>[] = [
  {
    id: 'verdicts',
    head: 'Verdicts',
    width: 'w-28 md:w-52',
    variant: 'first',
    cell: (row) => <SessionMark row={row} />,
  },
  {
    id: 'input',
    head: 'First input',
    cell: (row, { project, onOpen }) => (
      <>
        <Link
          href={`/p/${project}/sessions/${encodeURIComponent(row.id)}`}
          data-row={row.id}
          prefetch={false}
          onClick={() => onOpen(row.id)}
          className="row-link [unicode-bidi:isolate]"
        >
          {row.inputExcerpt === null ? (
            <code className="text-12 font-mono">
              <VisibleText text={row.id} />
            </code>
          ) : (
            <VisibleText text={row.inputExcerpt} />
          )}
        </Link>{' '}
        <CodeBadge code={row.code} />
        <ExternalBadge agent={row.external} />
      </>
    ),
  },
  {
    id: 'session',
    head: 'Session',
    width: 'w-44',
    from: 'hidden xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.id),
    cell: (row) => <VisibleText text={row.id} />,
  },
  {
    id: 'models',
    head: 'Models',
    width: 'w-44',
    from: 'hidden 2xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.models.join(', ')),
    cell: (row) => <VisibleText text={row.models.join(', ')} />,
  },
  {
    id: 'turns',
    head: 'Turns',
    width: 'w-16 md:w-24',
    variant: 'number',
    cell: (row) => countText(row.turns),
  },
  {
    id: 'traces',
    head: 'Traces',
    width: 'w-20',
    from: 'hidden lg:table-cell',
    variant: 'number',
    cell: (row) => countText(row.traces),
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'w-24',
    from: 'hidden xl:table-cell',
    variant: 'number',
    cell: sessionCostText,
  },
  {
    id: 'last',
    head: 'Last received',
    width: 'w-28',
    from: 'hidden md:table-cell',
    variant: 'number',
    cell: (row) => <Age at={row.lastReceivedAt} />,
  },
  {
    id: 'age',
    head: 'Age',
    width: 'w-14',
    variant: 'last',
    cell: (row) => <Age at={row.receivedAt} />,
  },
];

export function SessionTable({ rows, project, onOpen, end }: SessionTableProps) {
  const context = useMemo(() => ({ project, onOpen }), [project, onOpen]);
  return (
    <RowTable
      label="Sessions"
      name="sessions"
      columns={sessionColumns}
      context={context}
      rows={rows}
      idOf={idOf}
      end={end}
    />
  );
}
