import type { ReactNode } from 'react';
import { SlidingBody } from './sliding-body';

interface DataTableProps {
  label: string;
  /** Column headings; an empty string is a column of buttons. */
  heads: readonly string[];
  /** Ids of the rows, for a table that gets new rows at the top while it is open. */
  ids?: readonly string[];
  children: ReactNode;
}

/** A plain table that scrolls sideways on a narrow page. */
export function DataTable({ label, heads, ids, children }: DataTableProps) {
  return (
    <div className="scroll-sideways" tabIndex={0} role="region" aria-label={`${label}, table`}>
      <table aria-label={label} className="w-full border-collapse">
        <thead className="text-12 text-ink-2">
          <tr className="border-line h-8 border-b">
            {heads.map((head, index) =>
              head === '' ? (
                <td key={index} />
              ) : (
                <th key={index} scope="col" className="px-4 py-1 align-bottom leading-tight">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        {ids === undefined ? (
          <tbody>{children}</tbody>
        ) : (
          <SlidingBody ids={ids}>{children}</SlidingBody>
        )}
      </table>
    </div>
  );
}

export function Row({ children }: { children: ReactNode }) {
  return <tr className="border-line h-10 border-b last:border-0">{children}</tr>;
}

export function Cell({
  children,
  mono = false,
  end = false,
}: {
  children: ReactNode;
  mono?: boolean;
  end?: boolean;
}) {
  return (
    <td
      className={`px-4 py-1 ${mono ? 'text-12 font-mono' : ''} ${end ? 'text-right' : ''} whitespace-nowrap`}
    >
      {children}
    </td>
  );
}

/** The cell that names its row. */
export function NameCell({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className="max-w-64 truncate px-4 py-1 font-normal whitespace-nowrap">
      {children}
    </th>
  );
}
