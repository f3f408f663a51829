'use client';

import { Button } from '@/app/_ui/button';
import { Choice, DayFilter, SetFilter, TextFilter, Toggle } from '@/app/_ui/filter-fields';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { ErrorIcon } from '../span-looks';
import { type Filters, isFiltered } from '../filters';

interface FilterBarProps {
  filters: Filters;
  models: readonly string[];
  services: readonly string[];
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
  /** Escape in the text field gives the focus back to the rows. */
  onLeave: () => void;
}

export function FilterBar({ filters, models, services, onChange, onClear, onLeave }: FilterBarProps) {
  return (
    <search aria-label="Filters" className="grid gap-2">
      <div role="group" aria-label="Only with" className="flex flex-wrap gap-1">
        <Toggle on={filters.failed === true} onChange={(on) => onChange({ failed: on ? true : null })}>
          <VerdictIcon state="failed" />
          With failed verdicts
        </Toggle>
        <Toggle on={filters.errors === true} onChange={(on) => onChange({ errors: on ? true : null })}>
          <ErrorIcon />
          With errors
        </Toggle>
      </div>
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <TextFilter placeholder="Text in the name ( / )" value={filters.text} onChange={(text) => onChange({ text })} onLeave={onLeave} />
        <Choice name="Service" value={filters.service} values={services} onChange={(service) => onChange({ service })} />
        <Choice name="Model" value={filters.model} values={models} onChange={(model) => onChange({ model })} />
        <DayFilter name="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <DayFilter name="To" value={filters.to} endOfDay onChange={(to) => onChange({ to })} />
        <SetFilter name="Session" value={filters.session} onRemove={() => onChange({ session: null })} />
        {isFiltered(filters) ? (
          <Button look="quiet" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}
