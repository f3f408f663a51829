import Link from 'next/link';
import type { DatasetItem } from '@/app/_trpc/outputs';
import { type ListEnd, rowCount } from '@/app/_ui/row-stretches';
import { RowWindow } from '@/app/_ui/row-window';
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

const idOf = (row: DatasetItem): string => row.id;

export function ItemTable({ rows, href, dataset, onOpen, end }: ItemTableProps) {
  return (
    <table
      aria-label="Items"
      aria-rowcount={rowCount(rows.length, end)}
      className="w-full table-fixed border-collapse"
    >
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="pl-4">
            Input
          </th>
          <th scope="col" className="hidden px-2 md:table-cell">
            Reference
          </th>
          <th scope="col" className="hidden w-40 px-2 lg:table-cell">
            Tags
          </th>
          <th scope="col" className="w-28 px-2">
            Split
          </th>
          <th scope="col" className="w-20 pr-4">
            Source
          </th>
        </tr>
      </thead>
      <RowWindow rows={rows} idOf={idOf} end={end}>
        {(row, place) => (
          <tr
            aria-rowindex={place}
            className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
          >
            <td className="truncate pl-4">
              <Link
                href={`${href}/datasets/${dataset}/items/${encodeURIComponent(row.id)}`}
                data-row={row.id}
                prefetch={false}
                onClick={() => onOpen(row.id)}
                className="row-link [unicode-bidi:isolate]"
              >
                <VisibleText text={inputLine(row.content)} />
              </Link>
            </td>
            <td className="text-ink-2 hidden truncate px-2 [unicode-bidi:isolate] md:table-cell">
              {row.content.reference === null ? (
                '–'
              ) : (
                <VisibleText text={valueLine(row.content.reference)} />
              )}
            </td>
            <td
              className="text-ink-2 hidden truncate px-2 lg:table-cell"
              title={plainText(row.tags.join(', '))}
            >
              <VisibleText text={row.tags.join(', ')} />
            </td>
            <td className="text-ink-2 truncate px-2">
              {row.split === null ? '–' : <VisibleText text={row.split} />}
            </td>
            <td className="pr-4">
              {row.turnId === null ? (
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
              )}
            </td>
          </tr>
        )}
      </RowWindow>
    </table>
  );
}
