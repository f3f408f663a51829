'use client';

import { DayRange } from '@/app/_ui/day-range';
import { SavedViews } from '@/app/(console)/saved-views';
import { FilterBar, ToggleGroup } from '@/app/_ui/filter-bar';
import { Choice, SetFilter, TextFilter, Toggle } from '@/app/_ui/filter-fields';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { ErrorIcon } from '../span-styles';
import { type Filters, filterQuery, isFiltered } from '../filters';

interface TraceFiltersProps {
  project: string;
  filters: Filters;
  models: readonly string[];
  services: readonly string[];
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
  /** Escape in the text field returns the focus to the rows. */
  onLeave: () => void;
}

export function TraceFilters({
  project,
  filters,
  models,
  services,
  onChange,
  onClear,
  onLeave,
}: TraceFiltersProps) {
  return (
    <FilterBar
      toggles={
        <ToggleGroup label="Only with">
          <Toggle
            on={filters.failed === true}
            onChange={(on) => onChange({ failed: on ? true : null })}
          >
            <VerdictIcon state="failed" />
            With failed verdicts
          </Toggle>
          <Toggle
            on={filters.errors === true}
            onChange={(on) => onChange({ errors: on ? true : null })}
          >
            <ErrorIcon />
            With errors
          </Toggle>
        </ToggleGroup>
      }
      isFiltered={isFiltered(filters)}
      onClear={onClear}
      views={<SavedViews project={project} page="traces" query={filterQuery(filters)} />}
    >
      <TextFilter
        placeholder="Text in input or name ( / )"
        value={filters.text}
        onChange={(text) => onChange({ text })}
        onLeave={onLeave}
      />
      <Choice
        name="Service"
        value={filters.service}
        values={services}
        onChange={(service) => onChange({ service })}
      />
      <Choice
        name="Model"
        value={filters.model}
        values={models}
        onChange={(model) => onChange({ model })}
      />
      <DayRange range={{ from: filters.from, to: filters.to }} onChange={onChange} />
      <SetFilter
        name="Session"
        value={filters.session}
        onRemove={() => onChange({ session: null })}
      />
    </FilterBar>
  );
}
