import Link from 'next/link';
import type { SessionRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
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

const idOf = (row: SessionRow): string => row.id;

export function SessionTable({ rows, project, onOpen, end }: SessionTableProps) {
  return (
    <table
      aria-label="Sessions"
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-28 pl-4 md:w-52">
            Verdicts
          </th>
          <th scope="col" className="px-2">
            Session
          </th>
          <th scope="col" className="hidden w-72 px-2 xl:table-cell">
            Models
          </th>
          <th scope="col" className="w-16 px-2 text-right md:w-24">
            Turns
          </th>
          <th scope="col" className="hidden w-24 px-2 text-right md:table-cell">
            Traces
          </th>
          <th scope="col" className="hidden w-24 px-2 text-right xl:table-cell">
            Cost
          </th>
          <th scope="col" className="hidden w-28 px-2 text-right md:table-cell">
            Last heard
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
              <SessionMark row={row} />
            </td>
            <td className="truncate px-2">
              <Link
                href={`/p/${project}/sessions/${encodeURIComponent(row.id)}`}
                data-row={row.id}
                prefetch={false}
                onClick={() => onOpen(row.id)}
                className="row-link text-12 font-mono [unicode-bidi:isolate]"
              >
                <VisibleText text={row.id} />
              </Link>{' '}
              <CodeBadge code={row.code} />
              <ExternalBadge agent={row.external} />
            </td>
            <td
              className="text-12 text-ink-2 hidden truncate px-2 font-mono xl:table-cell"
              title={plainText(row.models.join(', '))}
            >
              <VisibleText text={row.models.join(', ')} />
            </td>
            <td className="text-ink-2 px-2 text-right">{countText(row.turns)}</td>
            <td className="text-ink-2 hidden px-2 text-right md:table-cell">
              {countText(row.traces)}
            </td>
            <td className="text-ink-2 hidden px-2 text-right xl:table-cell">
              {sessionCostText(row)}
            </td>
            <td className="text-ink-3 hidden px-2 text-right md:table-cell">
              <Age at={row.lastReceivedAt} />
            </td>
            <td className="text-ink-3 pr-4 text-right">
              <Age at={row.receivedAt} />
            </td>
          </tr>
        )}
      </RowWindow>
    </table>
  );
}
