import type { ReactNode } from 'react';
import { Button } from './button';

interface FilterBarProps {
  label?: string;
  /** Groups of toggles, above the fields. */
  toggles?: ReactNode;
  /** Fields of `filter-fields`; their values are in the URL. */
  children?: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** Saved views, at the end. */
  views?: ReactNode;
}

/** The common filter bar: toggles, fields, and a button to clear them. */
export function FilterBar({
  label = 'Filters',
  toggles,
  children,
  isFiltered,
  onClear,
  views,
}: FilterBarProps) {
  return (
    <search aria-label={label} className="flex flex-wrap gap-x-4 gap-y-2">
      {toggles === undefined ? null : (
        <div className="flex flex-wrap gap-x-4 gap-y-2">{toggles}</div>
      )}
      <div className="grid w-full grid-cols-2 gap-2 md:flex md:w-auto md:flex-wrap">
        {children}
        {isFiltered ? (
          <Button variant="quiet" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
        {views}
      </div>
    </search>
  );
}

export function ToggleGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-1">
      {children}
    </div>
  );
}
