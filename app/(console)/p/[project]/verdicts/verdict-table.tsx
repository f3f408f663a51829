'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { Trust, VerdictRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
import { TrustGlyph } from '@/app/_ui/trust-mark';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName } from '@/server/domain';

interface VerdictTableProps {
  label: string;
  /** The name under which the choice of columns is kept. */
  name?: string;
  rows: readonly VerdictRow[];
  project: string;
  /** The trust state of each verifier; nothing is shown if absent or unknown. */
  trusts?: ReadonlyMap<string, Trust>;
  /** Fewer columns, for a panel. */
  compact?: boolean;
  /** Remembers which row was opened. */
  onOpen?: (id: string) => void;
  /** Opens the panel next to the list; absent if there is no panel. */
  onPeek?: ((id: string) => void) | undefined;
  /** The end of an infinite list. */
  end?: ListEnd;
  /** The row that regains the focus. */
  startAt?: () => string | null;
}

/** For integrity the counts of figures, for other kinds the score. */
function measuredText(row: VerdictRow): string {
  if (row.figures === null)
    return row.score === null ? '' : `score ${Number(row.score.toFixed(2))}`;
  if (row.figures === 0) return 'no figures';
  return row.unsourced ? `${row.unsourced} of ${row.figures} unsourced` : `${row.figures} sourced`;
}

interface Context {
  readonly project: string;
  readonly trusts: VerdictTableProps['trusts'];
  readonly onOpen: VerdictTableProps['onOpen'];
  readonly onPeek: VerdictTableProps['onPeek'];
}

const idOf = (row: VerdictRow): string => row.id;

/** Columns depend on the width of the table: next to the panel it is narrower than the page. */
export const verdictColumns: readonly Column<VerdictRow, Context>[] = [
  {
    id: 'outcome',
    head: 'Outcome',
    width: 'w-36 @3xl:w-44 @6xl:w-60',
    variant: 'first',
    cell: (row) => <VerdictBadge {...row} inRow />,
  },
  {
    id: 'excerpt',
    head: 'Answer or task',
    cell: (row, { project, onOpen }) => (
      <Link
        href={`/p/${project}/verdicts/${encodeURIComponent(row.id)}`}
        data-verdict={row.id}
        prefetch={false}
        onClick={() => onOpen?.(row.id)}
        className="row-link [unicode-bidi:isolate]"
      >
        {row.excerpt === '' ? (
          <span className="text-ink-3">Empty answer</span>
        ) : (
          <VisibleText text={row.excerpt} />
        )}
      </Link>
    ),
  },
  {
    id: 'measured',
    head: 'Measured',
    width: 'w-36 @6xl:w-48',
    from: 'hidden @xl:table-cell',
    cell: (row) => <span className={row.unsourced ? '' : 'text-ink-3'}>{measuredText(row)}</span>,
  },
  {
    id: 'model',
    head: 'Model',
    width: 'w-52',
    from: 'hidden @5xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.model ?? ''),
    cell: (row) => <VisibleText text={row.model ?? ''} />,
  },
  {
    id: 'verifier',
    head: 'Verifier',
    width: 'w-36',
    from: 'hidden @7xl:table-cell',
    variant: 'code',
    title: (row) => row.verifier,
    cell: (row, { trusts }) => (
      <>
        <TrustGlyph trust={trusts?.get(readVerifierName(row.verifier).slug)} /> {row.verifier}
      </>
    ),
  },
  {
    id: 'age',
    head: 'Age',
    width: 'w-22',
    variant: 'last',
    cell: (row, { onPeek }) => (
      <>
        {onPeek === undefined ? null : <PeekButton onPeek={() => onPeek(row.id)} />}
        <Age at={row.settledAt ?? row.createdAt} />
      </>
    ),
  },
];

/** For a panel, which has no room for the verifier. */
const compactColumns = verdictColumns.filter(({ id }) => id !== 'verifier');

/**
 * Rows of 32 px, one line each: the mark at the left edge, the age at the right. The excerpt is the
 * link; it covers its row.
 */
export function VerdictTable({
  label,
  name,
  rows,
  project,
  trusts,
  compact = false,
  onOpen,
  onPeek,
  end,
  startAt,
}: VerdictTableProps) {
  const context = useMemo(
    () => ({ project, trusts, onOpen, onPeek }),
    [project, trusts, onOpen, onPeek],
  );
  return (
    <RowTable
      label={label}
      name={name}
      columns={compact ? compactColumns : verdictColumns}
      context={context}
      rows={rows}
      idOf={idOf}
      end={end}
      startAt={startAt}
    />
  );
}

/** Above the link that covers the row. Not a tab stop, since Space does the same by keyboard. */
function PeekButton({ onPeek }: { onPeek: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label="Peek"
      title="Peek (Space)"
      onClick={onPeek}
      className="rounded-4 text-ink-2 hover:bg-sunken hover:text-ink relative z-1 mr-1 inline-flex h-6 w-6 items-center justify-center align-middle"
    >
      <svg
        width="14"
        height="14"
        viewBox="0 0 16 16"
        aria-hidden="true"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
      >
        <rect x="1.5" y="2.5" width="13" height="11" rx="1.5" />
        <path d="M9.5 2.5v11" />
      </svg>
    </button>
  );
}
