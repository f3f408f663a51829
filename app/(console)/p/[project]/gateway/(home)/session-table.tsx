'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { GatewayRoute, GatewaySessionRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
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

interface Context extends Pick<SessionTableProps, 'project' | 'onOpen'> {
  /** Every how many calls the route verifies; null if it does not. */
  readonly everyOf: (route: string) => number | null;
}

const idOf = (row: GatewaySessionRow): string => row.id;

const columns: readonly Column<GatewaySessionRow, Context>[] = [
  {
    id: 'verdict',
    head: 'Last verdict',
    width: 'w-32 md:w-44',
    variant: 'first',
    cell: (row) => <LastVerdict last={row.last} />,
  },
  {
    id: 'session',
    head: 'Session',
    cell: (row, { project, onOpen }) => (
      <Link
        href={`/p/${project}/gateway/sessions/${encodeURIComponent(row.id)}`}
        data-row={row.id}
        prefetch={false}
        onClick={() => onOpen(row.id)}
        className="row-link text-12 font-mono [unicode-bidi:isolate]"
      >
        <VisibleText text={row.id} />
      </Link>
    ),
  },
  {
    id: 'route',
    head: 'Route',
    width: 'w-32',
    from: 'hidden xl:table-cell',
    cell: (row) => row.route,
  },
  {
    id: 'model',
    head: 'Model',
    width: 'w-44',
    from: 'hidden xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.model ?? ''),
    cell: (row) => <VisibleText text={row.model ?? ''} />,
  },
  {
    id: 'counter',
    head: 'Counter',
    width: 'w-32',
    from: 'hidden md:table-cell',
    variant: 'quiet',
    cell: (row, { everyOf }) => counterText(row.counted, everyOf(row.route)),
  },
  {
    id: 'calls',
    head: 'Calls',
    width: 'w-28',
    from: 'hidden md:table-cell',
    variant: 'number',
    cell: (row) => (
      <>
        {row.calls.toLocaleString('en')}
        {row.steered === 0 ? null : (
          <span className="text-12 text-ink-3"> {row.steered.toLocaleString('en')} steered</span>
        )}
      </>
    ),
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
 * One row per session: the outcome of its last verified answer, and the progress to the next
 * verification.
 */
export function SessionTable({ project, rows, routes, onOpen, end }: SessionTableProps) {
  const context = useMemo(() => {
    const everyOf = (name: string): number | null => {
      const verifier = routes.find((route) => route.name === name)?.settings.quality_verifier;
      return verifier === undefined || verifier.model === null ? null : verifier.frequency;
    };
    return { project, onOpen, everyOf };
  }, [project, onOpen, routes]);
  return (
    <RowTable
      label="Sessions"
      columns={columns}
      context={context}
      rows={rows}
      idOf={idOf}
      end={end}
    />
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
