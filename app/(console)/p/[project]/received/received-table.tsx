import Link from 'next/link';
import type { ReceivedRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
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

/** Rows of 32 px, one line each; a turn's id links to it, refused input shows the reason. */
export function ReceivedTable({ rows, project, what, end }: ReceivedTableProps) {
  const heads = what === 'turns' ? ['Turn', 'Model', 'Came by'] : ['Reason', 'Code', 'Route'];
  return (
    <table
      aria-label={what === 'turns' ? 'Turns received' : 'Refused input'}
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="pl-4">
            {heads[0]}
          </th>
          <th scope="col" className="hidden w-64 px-2 md:table-cell">
            {heads[1]}
          </th>
          <th scope="col" className="hidden w-36 px-2 md:table-cell">
            {heads[2]}
          </th>
          <th scope="col" className="w-16 pr-4 text-right">
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
            <td className="truncate pl-4" title={plainText(row.refusal?.message ?? '')}>
              {row.refusal === null ? (
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
              )}
            </td>
            <td className="text-12 text-ink-2 hidden truncate px-2 font-mono md:table-cell">
              <VisibleText text={row.refusal?.code ?? row.model ?? ''} />
            </td>
            <td className="text-12 text-ink-2 hidden truncate px-2 font-mono md:table-cell">
              <VisibleText text={row.by} />
            </td>
            <td className="text-ink-3 pr-4 text-right">
              <Age at={row.at} />
            </td>
          </tr>
        )}
      </RowWindow>
    </table>
  );
}
