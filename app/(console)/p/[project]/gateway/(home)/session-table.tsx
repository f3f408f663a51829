import Link from 'next/link';
import type { GatewayRoute, GatewaySessionRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { counterText, reasonWords, verdictWords } from '../gateway-words';

interface SessionTableProps {
  project: string;
  rows: readonly GatewaySessionRow[];
  routes: readonly GatewayRoute[];
  onOpen: (id: string) => void;
  /** The end of an infinite list. */
  end?: ListEnd;
}

const idOf = (row: GatewaySessionRow): string => row.id;

/**
 * One row per session: the outcome of its last verified answer, and the progress to the next
 * verification.
 */
export function SessionTable({ project, rows, routes, onOpen, end }: SessionTableProps) {
  const everyOf = (name: string): number | null => {
    const verifier = routes.find((route) => route.name === name)?.settings.quality_verifier;
    return verifier === undefined || verifier.model === null ? null : verifier.frequency;
  };
  return (
    <table
      aria-label="Sessions"
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="w-32 pl-4 md:w-44">
            Last verdict
          </th>
          <th scope="col" className="px-2">
            Session
          </th>
          <th scope="col" className="hidden w-32 px-2 xl:table-cell">
            Route
          </th>
          <th scope="col" className="hidden w-44 px-2 xl:table-cell">
            Model
          </th>
          <th scope="col" className="hidden w-32 px-2 md:table-cell">
            Counter
          </th>
          <th scope="col" className="hidden w-28 px-2 text-right md:table-cell">
            Calls
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
              <LastVerdict last={row.last} />
            </td>
            <td className="truncate px-2">
              <Link
                href={`/p/${project}/gateway/sessions/${encodeURIComponent(row.id)}`}
                data-row={row.id}
                prefetch={false}
                onClick={() => onOpen(row.id)}
                className="row-link text-12 font-mono [unicode-bidi:isolate]"
              >
                <VisibleText text={row.id} />
              </Link>
            </td>
            <td className="hidden truncate px-2 xl:table-cell">{row.route}</td>
            <td
              className="text-12 text-ink-2 hidden truncate px-2 font-mono xl:table-cell"
              title={plainText(row.model ?? '')}
            >
              <VisibleText text={row.model ?? ''} />
            </td>
            <td className="text-ink-2 hidden truncate px-2 md:table-cell">
              {counterText(row.counted, everyOf(row.route))}
            </td>
            <td className="hidden px-2 text-right md:table-cell">
              {row.calls.toLocaleString('en')}
              {row.steered === 0 ? null : (
                <span className="text-12 text-ink-3">
                  {' '}
                  {row.steered.toLocaleString('en')} steered
                </span>
              )}
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

function LastVerdict({ last: { verdict, reason } }: { last: GatewaySessionRow['last'] }) {
  const { state, word } = verdictWords[verdict];
  return (
    <span className="flex min-w-0 items-center gap-2">
      <VerdictIcon state={state} />
      <span className="truncate">
        {word}
        {reason === null ? null : (
          <span className="text-ink-3 hidden md:inline"> {reasonWords[reason]}</span>
        )}
      </span>
    </span>
  );
}
