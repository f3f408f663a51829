'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { TraceRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
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

interface Context {
  readonly project: string;
  readonly onOpen: TraceTableProps['onOpen'];
}

const idOf = (row: TraceRow): string => row.id;

function durationOf({ startedAt, endedAt }: TraceRow): string {
  return startedAt === null || endedAt === null
    ? ''
    : durationText(endedAt.getTime() - startedAt.getTime());
}

const hasTokens = (row: TraceRow): boolean => row.inputTokens !== null || row.outputTokens !== null;

/** The mark of the worst verdict at the left edge, the age at the right. */
export const traceColumns: readonly Column<TraceRow, Context>[] = [
  {
    id: 'verdicts',
    head: 'Verdicts',
    width: 'w-28 md:w-44',
    variant: 'first',
    cell: (row) => <TraceMark row={row} />,
  },
  {
    id: 'input',
    head: 'Input',
    cell: (row, { project, onOpen }) => (
      <Link
        href={`/p/${project}/traces/${encodeURIComponent(row.id)}`}
        data-row={row.id}
        prefetch={false}
        onClick={() => onOpen?.(row.id)}
        className="row-link [unicode-bidi:isolate]"
      >
        <TraceName row={row} />
      </Link>
    ),
  },
  {
    id: 'name',
    head: 'Name',
    width: 'w-48',
    from: 'hidden xl:table-cell',
    variant: 'quiet',
    title: (row) => plainText(row.name ?? ''),
    cell: (row) => <VisibleText text={row.name ?? ''} />,
  },
  {
    id: 'service',
    head: 'Service',
    width: 'w-32',
    from: 'hidden lg:table-cell',
    variant: 'quiet',
    title: (row) => plainText(row.service ?? ''),
    cell: (row) => <VisibleText text={row.service ?? ''} />,
  },
  {
    id: 'model',
    head: 'Model',
    width: 'w-40',
    from: 'hidden 2xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.models.join(', ')),
    cell: (row) => <VisibleText text={row.models.join(', ')} />,
  },
  {
    id: 'session',
    head: 'Session',
    width: 'w-36',
    from: 'hidden 2xl:table-cell',
    variant: 'code',
    title: (row) => plainText(row.sessionId ?? ''),
    cell: (row) => <VisibleText text={row.sessionId ?? ''} />,
  },
  {
    id: 'duration',
    head: 'Duration',
    width: 'w-24',
    from: 'hidden md:table-cell',
    variant: 'number',
    cell: durationOf,
  },
  {
    id: 'spans',
    head: 'Spans',
    width: 'w-24',
    from: 'hidden lg:table-cell',
    variant: 'number',
    cell: (row) => (
      <>
        {row.assembled ? countText(row.spans) : ''}
        {row.errors > 0 ? (
          <span className="text-ink">
            {' '}
            · {countText(row.errors)} {row.errors === 1 ? 'error' : 'errors'}
          </span>
        ) : null}
      </>
    ),
  },
  {
    id: 'tokens',
    head: 'Tokens',
    width: 'w-24',
    from: 'hidden xl:table-cell',
    variant: 'number',
    title: (row) =>
      hasTokens(row) ? `${row.inputTokens ?? 0} in, ${row.outputTokens ?? 0} out` : undefined,
    cell: (row) =>
      hasTokens(row) ? countText((row.inputTokens ?? 0) + (row.outputTokens ?? 0)) : '',
  },
  {
    id: 'cost',
    head: 'Cost',
    width: 'w-20',
    from: 'hidden 2xl:table-cell',
    variant: 'number',
    title: (row) => costBasisText(row.costBasis),
    cell: (row) =>
      row.costUsd !== null ? costText(row.costUsd) : row.costBasis === null ? '' : 'no price',
  },
  {
    id: 'age',
    head: 'Age',
    width: 'w-14',
    variant: 'last',
    cell: (row) => <Age at={row.receivedAt} />,
  },
];

/** One row per trace. The input is the link; it covers its row. */
export function TraceTable({ project, onOpen, ...table }: TraceTableProps) {
  const context = useMemo(() => ({ project, onOpen }), [project, onOpen]);
  return <RowTable {...table} name="traces" columns={traceColumns} context={context} idOf={idOf} />;
}

/** The title of a trace is its input; without one, its name or its id. */
function TraceName({ row }: { row: TraceRow }) {
  const text = row.inputExcerpt ?? row.name;
  return text === null || text === '' ? (
    <code className="text-12 text-ink-2 font-mono">{row.id}</code>
  ) : (
    <VisibleText text={text} />
  );
}

/** A trace without a turn cannot be judged, which is not a verdict state. */
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
      {!row.assembled ? 'Arriving' : row.turns === 0 ? 'No turns' : 'No verdict'}
    </span>
  );
}
