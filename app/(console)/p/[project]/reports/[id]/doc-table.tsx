import type { ReactNode } from 'react';

interface DocTableProps {
  label: string;
  heads: readonly string[];
  /** The first cell names its row. */
  rows: readonly (readonly ReactNode[])[];
}

/** A table of a document: text wraps, and nothing is cut off in print. */
export function DocTable({ label, heads, rows }: DocTableProps) {
  if (rows.length === 0) return null;
  return (
    <div
      className="scroll-sideways print:overflow-visible"
      tabIndex={0}
      role="region"
      aria-label={`${label}, table`}
    >
      <table aria-label={label} className="w-full border-collapse">
        <thead className="text-12 text-ink-2">
          <tr className="border-line-strong border-b">
            {heads.map((head, at) =>
              head === '' ? (
                <td key={at} />
              ) : (
                <th key={at} scope="col" className="py-1 pr-6 align-bottom last:pr-0">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, n) => (
            <tr key={n} className="border-line break-inside-avoid border-b align-top last:border-0">
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th
                    key={at}
                    scope="row"
                    className="min-w-32 py-1 pr-6 font-normal break-words print:min-w-0 print:pr-3"
                  >
                    {cell}
                  </th>
                ) : (
                  <td
                    key={at}
                    className="min-w-24 py-1 pr-6 break-words last:pr-0 print:min-w-0 print:pr-3"
                  >
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text of `measureText`: the number first, its counts small and below. */
export function Figure({ text }: { text: string }) {
  const [, number, rest] = /^([^(,]*?)(?:,? (\(.*|[\d,]+\/.*|n .*))?$/.exec(text) ?? [
    null,
    text,
    undefined,
  ];
  if (text === 'no data') return <span className="text-ink-3">no data</span>;
  if (rest === undefined) return text;
  return (
    <span className="inline-grid">
      <span className="whitespace-nowrap">{number}</span>
      <span className="text-12 text-ink-2">{rest}</span>
    </span>
  );
}

/** A name of arbitrary length: a long one breaks anywhere. */
export function Name({ children }: { children: ReactNode }) {
  return (
    <code className="text-12 inline-block min-w-20 font-mono [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}

interface DocPartProps {
  title: string;
  children: ReactNode;
}

/** A section of the document with its own heading. */
export function DocPart({ title, children }: DocPartProps) {
  return (
    <section aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="text-16 border-line border-b pb-1">{title}</h2>
      {children}
    </section>
  );
}
