import Link from 'next/link';
import type { CallRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
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

const idOf = (row: CallRow): string => row.id;

/** One row per call. It links to its place in its session. */
export function CallTable({ project, rows, onOpen, end }: CallTableProps) {
  return (
    <table
      aria-label="Calls"
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-36 pl-4">
            Verdict
          </th>
          <th scope="col" className="hidden w-40 px-2 md:table-cell">
            Reason
          </th>
          <th scope="col" className="px-2">
            Session
          </th>
          <th scope="col" className="hidden w-28 px-2 xl:table-cell">
            Route
          </th>
          <th scope="col" className="hidden w-40 px-2 xl:table-cell">
            Model
          </th>
          <th scope="col" className="hidden w-24 px-2 text-right xl:table-cell">
            Delay
          </th>
          <th scope="col" className="hidden w-24 px-2 text-right md:table-cell">
            Took
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
              <span className="flex items-center gap-2">
                <VerdictIcon state={verdictWords[row.verdict].state} />
                <span className="truncate">{verdictWords[row.verdict].word}</span>
              </span>
            </td>
            <td className="text-ink-2 hidden truncate px-2 md:table-cell">{whyText(row)}</td>
            <td className="truncate px-2">
              <Link
                href={`/p/${project}/gateway/sessions/${encodeURIComponent(row.sessionId)}#${encodeURIComponent(row.id)}`}
                data-row={row.id}
                prefetch={false}
                onClick={() => onOpen(row.id)}
                className="row-link text-12 font-mono [unicode-bidi:isolate]"
              >
                <VisibleText text={row.sessionId} />
              </Link>
            </td>
            <td className="hidden truncate px-2 xl:table-cell">{row.route}</td>
            <td
              className="text-12 text-ink-2 hidden truncate px-2 font-mono xl:table-cell"
              title={plainText(row.model ?? '')}
            >
              <VisibleText text={row.model ?? ''} />
            </td>
            <td className="text-ink-2 hidden px-2 text-right xl:table-cell">
              {row.deliveryDelayMs === null ? '' : durationText(row.deliveryDelayMs)}
            </td>
            <td className="text-ink-2 hidden px-2 text-right md:table-cell">
              {durationText(row.durationMs)}
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

/** Why it was not verified, or the result of the verifier's note. */
function whyText({ reason, steer, status }: CallRow): string {
  if (status >= 400) return `status ${status}`;
  if (reason !== null) return reasonWords[reason];
  return steer === null ? '' : steerNames[steer];
}
