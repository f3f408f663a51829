import type { ReactNode } from 'react';
import type { Estimate } from '@/app/_trpc/outputs';
import { EstimateBar, type EstimateScale, EstimateText } from '../estimate-text';

/** A table of figures: name and meaning, value, and its position on the scale. */
export function FactsTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="scroll-sideways" tabIndex={0} role="region" aria-label={`${label}, table`}>
      <table aria-label={label} className="w-full border-collapse">
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface FactRowProps {
  name: string;
  meaning: ReactNode;
  bar: ReactNode;
  children: ReactNode;
  strong?: boolean;
}

export function FactRow({ name, meaning, bar, children, strong = false }: FactRowProps) {
  return (
    <tr className="border-line border-b last:border-0">
      <th scope="row" className="min-w-36 px-4 py-2 align-top font-normal">
        <span className={`block first-letter:uppercase ${strong ? 'font-semibold' : ''}`}>
          {name}
        </span>
        <span className="text-12 text-ink-3 block max-w-[48ch]">{meaning}</span>
      </th>
      <td className="px-4 py-2 align-top">
        <span className="grid gap-1">
          {children}
          {bar}
        </span>
      </td>
    </tr>
  );
}

interface EstimateRowProps {
  name: string;
  meaning: ReactNode;
  estimate: Estimate;
  scale: EstimateScale;
  /** The unit of n. */
  of?: string;
  strong?: boolean;
  /** Shown after n, if there is a number. */
  beside?: ReactNode;
}

export function EstimateRow({
  name,
  meaning,
  estimate,
  scale,
  of,
  strong = false,
  beside,
}: EstimateRowProps) {
  return (
    <FactRow
      name={name}
      meaning={meaning}
      strong={strong}
      bar={<EstimateBar estimate={estimate} scale={scale} />}
    >
      <EstimateText
        stacked
        estimate={estimate}
        scale={scale}
        beside={beside}
        {...(of !== undefined && { of })}
      />
    </FactRow>
  );
}
