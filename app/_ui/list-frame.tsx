import type { ReactNode, Ref } from 'react';
import { Button } from './button';
import { Empty } from './panel';

interface ListFrameProps {
  /** The area of `useRowKeys`. */
  area?: Ref<HTMLDivElement>;
  /** The rows still match the previous filters, while those of the new filters are loading. */
  isBehind?: boolean;
  children: ReactNode;
}

/** The frame around the rows of a list, or its replacement. */
export function ListFrame({ area, isBehind = false, children }: ListFrameProps) {
  return (
    <div
      ref={area}
      aria-busy={isBehind}
      className={`bg-surface border-line rounded-8 border ${isBehind ? 'opacity-60' : ''}`}
    >
      {children}
    </div>
  );
}

/**
 * The second empty case: there are rows, but none passes the filters. `noun` as in "No verdict
 * passes these filters."
 */
export function FilteredOut({ noun, onClear }: { noun: string; onClear: () => void }) {
  return (
    <Empty title={`No ${noun} passes these filters.`}>
      <div>
        <Button onClick={onClear}>Clear filters</Button>
      </div>
    </Empty>
  );
}
