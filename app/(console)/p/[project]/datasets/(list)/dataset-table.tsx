import Link from 'next/link';
import type { DatasetRow } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { splitsText } from '../dataset-words';

interface DatasetTableProps {
  rows: readonly DatasetRow[];
  project: string;
  onOpen: (slug: string) => void;
}

export function DatasetTable({ rows, project, onOpen }: DatasetTableProps) {
  return (
    <table aria-label="Datasets" className="w-full table-fixed border-collapse">
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="pl-4">
            Name
          </th>
          <th scope="col" className="w-20 px-2 text-right">
            Items
          </th>
          <th scope="col" className="w-20 px-2 text-right max-sm:hidden">
            Version
          </th>
          <th scope="col" className="hidden w-80 px-2 lg:table-cell">
            Splits
          </th>
          <th scope="col" className="hidden w-48 px-2 md:table-cell">
            Created by
          </th>
          <th scope="col" className="w-20 pr-4 text-right">
            Updated
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={row.slug}
            className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
          >
            <td className="truncate pl-4" title={plainText(row.description)}>
              <Link
                href={`/p/${project}/datasets/${row.slug}`}
                data-row={row.slug}
                prefetch={false}
                onClick={() => onOpen(row.slug)}
                className="row-link [unicode-bidi:isolate]"
              >
                <VisibleText text={row.name} />
              </Link>
            </td>
            <td className="px-2 text-right">{row.items.toLocaleString('en')}</td>
            <td className="text-ink-2 px-2 text-right max-sm:hidden">
              {row.version === 0 ? '–' : row.version}
            </td>
            <td
              className="text-ink-2 hidden truncate px-2 lg:table-cell"
              title={plainText(splitsText(row))}
            >
              <VisibleText text={splitsText(row)} />
            </td>
            <td className="text-ink-2 hidden truncate px-2 md:table-cell">
              <VisibleText text={row.createdBy} />
            </td>
            <td className="text-ink-3 pr-4 text-right">
              <Age at={row.updatedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
