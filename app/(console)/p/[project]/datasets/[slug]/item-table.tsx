'use client';

import Link from 'next/link';
import { useMemo } from 'react';
import type { DatasetItem } from '@/app/_trpc/outputs';
import type { ListEnd } from '@/app/_ui/row-ranges';
import { type Column, RowTable } from '@/app/_ui/row-table';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { inputLine, valueLine } from '../item-text';

interface ItemTableProps {
  rows: readonly DatasetItem[];
  /** Path of the project. */
  href: string;
  dataset: string;
  onOpen: (id: string) => void;
  end?: ListEnd;
}

type Context = Pick<ItemTableProps, 'href' | 'dataset' | 'onOpen'>;

const idOf = (row: DatasetItem): string => row.id;

const columns: readonly Column<DatasetItem, Context>[] = [
  {
    id: 'input',
    head: 'Input',
    variant: 'first',
    cell: (row, { href, dataset, onOpen }) => (
      <Link
        href={`${href}/datasets/${dataset}/items/${encodeURIComponent(row.id)}`}
        data-row={row.id}
        prefetch={false}
        onClick={() => onOpen(row.id)}
        className="row-link [unicode-bidi:isolate]"
      >
        <VisibleText text={inputLine(row.content)} />
      </Link>
    ),
  },
  {
    id: 'reference',
    head: 'Reference',
    from: 'hidden md:table-cell',
    variant: 'quiet',
    cell: (row) =>
      row.content.reference === null ? (
        '–'
      ) : (
        <span className="[unicode-bidi:isolate]">
          <VisibleText text={valueLine(row.content.reference)} />
        </span>
      ),
  },
  {
    id: 'tags',
    head: 'Tags',
    width: 'w-40',
    from: 'hidden lg:table-cell',
    variant: 'quiet',
    title: (row) => plainText(row.tags.join(', ')),
    cell: (row) => <VisibleText text={row.tags.join(', ')} />,
  },
  {
    id: 'split',
    head: 'Split',
    width: 'w-28',
    variant: 'quiet',
    cell: (row) => (row.split === null ? '–' : <VisibleText text={row.split} />),
  },
  {
    id: 'source',
    head: 'Source',
    width: 'w-20',
    variant: 'text',
    cell: (row, { href }) =>
      row.turnId === null ? (
        <span className="text-ink-3">–</span>
      ) : (
        <Link
          href={`${href}/turns/${encodeURIComponent(row.turnId)}`}
          prefetch={false}
          aria-label={`Turn of: ${plainText(inputLine(row.content))}`}
          className="relative z-1 underline"
        >
          Turn
        </Link>
      ),
  },
];

export function ItemTable({ rows, href, dataset, onOpen, end }: ItemTableProps) {
  const context = useMemo(() => ({ href, dataset, onOpen }), [href, dataset, onOpen]);
  return (
    <RowTable label="Items" columns={columns} context={context} rows={rows} idOf={idOf} end={end} />
  );
}
