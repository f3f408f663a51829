import Link from 'next/link';
import { memo } from 'react';
import type { TraceRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { costText, countText, durationText } from './amounts';
import { costBasisText } from './cost-basis';
import { countsText, worstOf } from './mark-styles';
import { shownState } from '@/app/_ui/verdict-styles';

interface TraceTableProps {
  label: string;
  rows: readonly TraceRow[];
  project: string;
  onOpen?: (id: string) => void;
  /** The end of an infinite list. */
  end?: ListEnd;
  /** The row that regains the focus. */
  startAt?: () => string | null;
}

const idOf = (row: TraceRow): string => row.id;

/**
 * Rows of 32 px, one line each: the mark of the worst verdict at the left edge, the age at the
 * right. The name is the link; it covers its row.
 */
export function TraceTable({ label, rows, project, onOpen, end, startAt }: TraceTableProps) {
  return (
    <table
      aria-label={label}
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <Head className="w-28 pl-4 md:w-44">Verdicts</Head>
          <Head className="px-2">Name</Head>
          <Head className="hidden w-32 px-2 md:table-cell">Service</Head>
          <Head className="hidden w-40 px-2 xl:table-cell">Model</Head>
          <Head className="hidden w-36 px-2 2xl:table-cell">Session</Head>
          <Head className="hidden w-24 px-2 text-right md:table-cell">Duration</Head>
          <Head className="hidden w-28 px-2 text-right lg:table-cell">Spans</Head>
          <Head className="hidden w-24 px-2 text-right xl:table-cell">Tokens</Head>
          <Head className="hidden w-20 px-2 text-right 2xl:table-cell">Cost</Head>
          <Head className="w-14 pr-4 text-right">Age</Head>
        </tr>
      </thead>
      <RowWindow rows={rows} idOf={idOf} end={end} startAt={startAt}>
        {(row, place) => <TraceLine row={row} place={place} project={project} onOpen={onOpen} />}
      </RowWindow>
    </table>
  );
}

function Head({ className, children }: { className: string; children: string }) {
  return (
    <th scope="col" className={className}>
      {children}
    </th>
  );
}

interface TraceLineProps {
  row: TraceRow;
  place: number | undefined;
  project: string;
  onOpen: TraceTableProps['onOpen'];
}

/** Rerendered only when its content changes, since users scroll past thousands of rows. */
const TraceLine = memo(function TraceLine({ row, place, project, onOpen }: TraceLineProps) {
  const { startedAt, endedAt } = row;
  const ms =
    startedAt === null || endedAt === null ? null : endedAt.getTime() - startedAt.getTime();
  const tokens =
    row.inputTokens === null && row.outputTokens === null
      ? null
      : (row.inputTokens ?? 0) + (row.outputTokens ?? 0);
  const number = 'text-ink-2 hidden truncate px-2 text-right';
  return (
    <tr
      aria-rowindex={place}
      className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
    >
      <td className="pl-4">
        <TraceMark row={row} />
      </td>
      <td className="truncate px-2">
        <Link
          href={`/p/${project}/traces/${encodeURIComponent(row.id)}`}
          data-row={row.id}
          prefetch={false}
          onClick={() => onOpen?.(row.id)}
          className="row-link [unicode-bidi:isolate]"
        >
          {row.name === null || row.name === '' ? (
            <code className="text-12 text-ink-2 font-mono">{row.id}</code>
          ) : (
            <VisibleText text={row.name} />
          )}
        </Link>
      </td>
      <Text className="hidden md:table-cell" text={row.service ?? ''} />
      <Text className="hidden xl:table-cell" text={row.models.join(', ')} mono />
      <Text className="hidden 2xl:table-cell" text={row.sessionId ?? ''} mono />
      <td className={`${number} md:table-cell`}>{ms === null ? '' : durationText(ms)}</td>
      <td className={`${number} lg:table-cell`}>
        {row.assembled ? countText(row.spans) : ''}
        {row.errors > 0 ? (
          <span className="text-ink">
            {' '}
            · {countText(row.errors)} {row.errors === 1 ? 'error' : 'errors'}
          </span>
        ) : null}
      </td>
      <td
        className={`${number} xl:table-cell`}
        title={
          tokens === null ? undefined : `${row.inputTokens ?? 0} in, ${row.outputTokens ?? 0} out`
        }
      >
        {tokens === null ? '' : countText(tokens)}
      </td>
      <td className={`${number} 2xl:table-cell`} title={costBasisText(row.costBasis)}>
        {row.costUsd !== null ? costText(row.costUsd) : row.costBasis === null ? '' : 'no price'}
      </td>
      {/* Stays readable next to a marked character at the end of the name. */}
      <td className="text-ink-2 pr-4 text-right">
        <Age at={row.receivedAt} />
      </td>
    </tr>
  );
});

function Text({
  className,
  text,
  mono = false,
}: {
  className: string;
  text: string;
  mono?: boolean;
}) {
  return (
    <td
      className={`${className} text-ink-2 truncate px-2 ${mono ? 'text-12 font-mono' : ''}`}
      title={plainText(text)}
    >
      <VisibleText text={text} />
    </td>
  );
}

/** Without a turn there is nothing to judge, which is not a verdict state. */
export function TraceMark({ row }: { row: Pick<TraceRow, 'assembled' | 'marks' | 'turns'> }) {
  const worst = worstOf(row.marks.map(({ state }) => state));
  if (worst !== null) {
    const text = countsText(row.marks);
    return (
      <span className="flex items-center gap-2" title={text}>
        <VerdictIcon state={shownState(worst)} />
        <span className="truncate">{text}</span>
      </span>
    );
  }
  return (
    <span className="text-ink-3 block truncate">
      {!row.assembled ? 'Coming in' : row.turns === 0 ? 'No turns' : 'No verdict'}
    </span>
  );
}
