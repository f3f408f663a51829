import type { ReactNode } from 'react';
import { Button } from './button';

interface FilterBarProps {
  label?: string;
  /** Groups of what is on or off, above the fields. */
  toggles?: ReactNode;
  /** Fields of `filter-fields`; what they are set to lives in the address. */
  children?: ReactNode;
  isFiltered: boolean;
  onClear: () => void;
  /** Names under which filters are kept, at the end. */
  views?: ReactNode;
}

/** The one filter bar: what is on or off, the fields, and the way back to everything. */
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
          <Button look="quiet" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
        {views}
      </div>
    </search>
  );
}

/** Toggles that belong together. */
export function ToggleGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className="flex flex-wrap gap-1">
      {children}
    </div>
  );
}
