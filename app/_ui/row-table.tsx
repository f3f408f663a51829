'use client';

import { memo, type ReactNode } from 'react';
import { type ListEnd, rowCount } from './row-ranges';
import { RowWindow } from './row-window';
import { useShownColumns } from './shown-columns';

/** A column of a list. `Context` is the data that its cells need besides the row. */
export interface Column<Row, Context = undefined> {
  readonly id: string;
  readonly head: string;
  /** The width of the column. */
  readonly width?: string;
  /**
   * The class that shows the column from a width of the page or table on. Without it, the column is
   * always shown and cannot be hidden.
   */
  readonly from?: string;
  readonly variant?: keyof typeof cellVariants;
  readonly title?: (row: Row) => string | undefined;
  readonly cell: (row: Row, context: Context) => ReactNode;
}

const cellVariants = {
  text: 'truncate px-2',
  quiet: 'text-ink-2 truncate px-2',
  code: 'text-12 text-ink-2 truncate px-2 font-mono',
  number: 'text-ink-2 truncate px-2 text-right',
  first: 'truncate pl-4',
  last: 'text-ink-3 pr-4 text-right whitespace-nowrap',
} as const;

const headVariants = {
  text: 'px-2',
  quiet: 'px-2',
  code: 'px-2',
  number: 'px-2 text-right',
  first: 'pl-4',
  last: 'pr-4 text-right',
} as const;

interface RowTableProps<Row, Context> {
  label: string;
  /** The name under which the choice of columns is kept; absent if there is no choice. */
  name?: string | undefined;
  columns: readonly Column<Row, Context>[];
  /** Stable while it means the same: a new one rerenders all rows. */
  context: Context;
  rows: readonly Row[];
  idOf: (row: Row) => string;
  /** The end of an infinite list. */
  end?: ListEnd | undefined;
  /** The row that regains the focus. */
  startAt?: (() => string | null) | undefined;
}

/** A list of 32 px rows, one line each. One cell has the link that covers its row. */
export function RowTable<Row, Context>({
  label,
  name,
  columns: all,
  context,
  rows,
  idOf,
  end,
  startAt,
}: RowTableProps<Row, Context>) {
  const { columns, isChosen } = useShownColumns(name, all);
  return (
    <div className={isChosen ? 'scroll-sideways @container' : '@container'}>
      <table
        aria-label={label}
        aria-rowcount={rowCount(rows.length, end)}
        data-list={name}
        className={`w-full table-fixed border-collapse ${isChosen ? 'min-w-180' : ''}`}
      >
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            {columns.map(({ id, head, width = '', from = '', variant = 'text' }) => (
              <th
                key={id}
                scope="col"
                data-column={id}
                className={`${headVariants[variant]} ${width} ${from}`}
              >
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <RowWindow rows={rows} idOf={idOf} end={end} startAt={startAt}>
          {(row, place) => <Line row={row} place={place} columns={columns} context={context} />}
        </RowWindow>
      </table>
    </div>
  );
}

interface LineProps<Row, Context> {
  row: Row;
  place: number | undefined;
  columns: readonly Column<Row, Context>[];
  context: Context;
}

/** Rerendered only when its content changes, since users scroll past thousands of rows. */
const Line = memo(function Line<Row, Context>({
  row,
  place,
  columns,
  context,
}: LineProps<Row, Context>) {
  return (
    <tr
      aria-rowindex={place}
      className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
    >
      {columns.map(({ id, from = '', variant = 'text', title, cell }) => (
        <td key={id} className={`${cellVariants[variant]} ${from}`} title={title?.(row)}>
          {cell(row, context)}
        </td>
      ))}
    </tr>
  );
}) as <Row, Context>(props: LineProps<Row, Context>) => ReactNode;
