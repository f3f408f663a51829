'use client';

import Link from 'next/link';
import type { ReceivedRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { Filters } from './filters';

interface ReceivedTableProps {
  rows: readonly ReceivedRow[];
  project: string;
  what: Filters['what'];
  /** The end of an infinite list. */
  end?: ListEnd;
}

const idOf = (row: ReceivedRow): string => row.id;

function columnsOf(
  heads: readonly [string, string, string],
): readonly Column<ReceivedRow, string>[] {
  return [
    {
      id: 'what',
      head: heads[0],
      variant: 'first',
      title: (row) => plainText(row.refusal?.message ?? ''),
      cell: (row, project) =>
        row.refusal === null ? (
          <Link
            href={`/p/${project}/turns/${encodeURIComponent(row.id)}`}
            data-row={row.id}
            prefetch={false}
            className="row-link text-12 font-mono [unicode-bidi:isolate]"
          >
            <VisibleText text={row.id} />
          </Link>
        ) : (
          <VisibleText text={row.refusal.message} />
        ),
    },
    {
      id: 'of',
      head: heads[1],
      width: 'w-64',
      from: 'hidden md:table-cell',
      variant: 'code',
      cell: (row) => <VisibleText text={row.refusal?.code ?? row.model ?? ''} />,
    },
    {
      id: 'by',
      head: heads[2],
      width: 'w-36',
      from: 'hidden md:table-cell',
      variant: 'code',
      cell: (row) => <VisibleText text={row.by} />,
    },
    { id: 'age', head: 'Age', width: 'w-16', variant: 'last', cell: (row) => <Age at={row.at} /> },
  ];
}

const turnColumns = columnsOf(['Turn', 'Model', 'Source']);
const refusalColumns = columnsOf(['Reason', 'Code', 'Route']);

/** A turn's id links to it; rejected input shows the reason. */
export function ReceivedTable({ rows, project, what, end }: ReceivedTableProps) {
  return (
    <RowTable
      label={what === 'turns' ? 'Turns received' : 'Rejected input'}
      columns={what === 'turns' ? turnColumns : refusalColumns}
      context={project}
      rows={rows}
      idOf={idOf}
      end={end}
    />
  );
}
