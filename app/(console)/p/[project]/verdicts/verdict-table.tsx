import Link from 'next/link';
import { memo } from 'react';
import type { Trust, VerdictRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
import { TrustGlyph } from '@/app/_ui/trust-mark';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { readVerifierName } from '@/server/domain';

interface VerdictTableProps {
  label: string;
  rows: readonly VerdictRow[];
  project: string;
  /** The trust state of each verifier; absent or unknown: nothing is shown. */
  trusts?: ReadonlyMap<string, Trust>;
  /** Fewer columns, for a panel. */
  compact?: boolean;
  /** Remembers which row was opened. */
  onOpen?: (id: string) => void;
  /** Opens the panel next to the list; absent: there is no panel. */
  onPeek?: ((id: string) => void) | undefined;
  /** The end of an infinite list. */
  end?: ListEnd;
  /** The row that regains the focus. */
  startAt?: () => string | null;
}

/** For integrity the counts of figures, for other kinds the score. */
function measuredText(row: VerdictRow): string {
  if (row.figures === null)
    return row.score === null ? '' : `score ${Number(row.score.toFixed(4))}`;
  if (row.figures === 0) return 'no figures';
  return row.unsourced ? `${row.unsourced} of ${row.figures} unsourced` : `${row.figures} sourced`;
}

const idOf = (row: VerdictRow): string => row.id;
/** Columns depend on the width of the table: next to the panel it is narrower than the page. */
const wideClass = (compact: boolean): string => (compact ? 'hidden' : 'hidden @7xl:table-cell');

/**
 * Rows of 32 px, one line each: the mark at the left edge, the age at the right. The excerpt is the
 * link; it covers its row.
 */
export function VerdictTable({
  label,
  rows,
  project,
  trusts,
  compact = false,
  onOpen,
  onPeek,
  end,
  startAt,
}: VerdictTableProps) {
  const wide = wideClass(compact);
  return (
    <div className="@container">
      <table
        aria-label={label}
        aria-rowcount={rowCount(rows.length, end)}
        className="w-full table-fixed border-collapse"
      >
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            <th scope="col" className="w-36 pl-4 @3xl:w-60">
              Outcome
            </th>
            <th scope="col" className="px-2">
              Answer or task
            </th>
            <th scope="col" className="hidden w-36 px-2 @xl:table-cell @6xl:w-48">
              Measured
            </th>
            <th scope="col" className="hidden w-52 px-2 @5xl:table-cell">
              Model
            </th>
            <th scope="col" className={`${wide} w-36 px-2`}>
              Verifier
            </th>
            <th scope="col" className={`${onPeek === undefined ? 'w-14' : 'w-22'} pr-4 text-right`}>
              Age
            </th>
          </tr>
        </thead>
        <RowWindow rows={rows} idOf={idOf} end={end} startAt={startAt}>
          {(row, place) => (
            <VerdictLine
              row={row}
              place={place}
              project={project}
              trust={trusts?.get(readVerifierName(row.verifier).slug)}
              compact={compact}
              onOpen={onOpen}
              onPeek={onPeek}
            />
          )}
        </RowWindow>
      </table>
    </div>
  );
}

interface VerdictLineProps {
  row: VerdictRow;
  place: number | undefined;
  project: string;
  trust: Trust | undefined;
  compact: boolean;
  onOpen: ((id: string) => void) | undefined;
  onPeek: ((id: string) => void) | undefined;
}

/** Rerendered only when its content changes, since users scroll past thousands of rows. */
const VerdictLine = memo(function VerdictLine({
  row,
  place,
  project,
  trust,
  compact,
  onOpen,
  onPeek,
}: VerdictLineProps) {
  return (
    <tr
      aria-rowindex={place}
      className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
    >
      <td className="truncate pl-4">
        <VerdictBadge {...row} inRow />
      </td>
      <td className="truncate px-2">
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
      </td>
      <td className={`hidden truncate px-2 @xl:table-cell ${row.unsourced ? '' : 'text-ink-3'}`}>
        {measuredText(row)}
      </td>
      <td
        className="text-12 text-ink-2 hidden truncate px-2 font-mono @5xl:table-cell"
        title={plainText(row.model ?? '')}
      >
        <VisibleText text={row.model ?? ''} />
      </td>
      <td
        className={`${wideClass(compact)} text-12 text-ink-2 truncate px-2 font-mono`}
        title={row.verifier}
      >
        <TrustGlyph trust={trust} /> {row.verifier}
      </td>
      <td className="text-ink-3 pr-4 text-right whitespace-nowrap">
        {onPeek === undefined ? null : <PeekButton onPeek={() => onPeek(row.id)} />}
        <Age at={row.settledAt ?? row.createdAt} />
      </td>
    </tr>
  );
});

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
