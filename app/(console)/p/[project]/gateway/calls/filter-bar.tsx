'use client';

import { DayRange } from '@/app/_ui/day-range';
import { Select } from '@/app/_ui/select';
import { SavedViews } from '@/app/(console)/saved-views';
import { FilterBar, ToggleGroup } from '@/app/_ui/filter-bar';
import { Choice, SetFilter, Toggle } from '@/app/_ui/filter-fields';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { GatewayReason } from '@/server/domain';
import { type Filters, filterQuery, isFiltered } from '../filters';
import { reasonWords, steerNames, verdictOrder, verdictWords } from '../gateway-words';

interface CallFiltersProps {
  project: string;
  filters: Filters;
  models: readonly string[];
  routes: readonly string[];
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
}

export function CallFilters({
  project,
  filters,
  models,
  routes,
  onChange,
  onClear,
}: CallFiltersProps) {
  const toggle = (verdict: Filters['verdict'][number]) =>
    onChange({
      verdict: filters.verdict.includes(verdict)
        ? filters.verdict.filter((each) => each !== verdict)
        : [...filters.verdict, verdict],
    });
  return (
    <FilterBar
      toggles={
        <ToggleGroup label="Verdict">
          {verdictOrder.map((verdict) => (
            <Toggle
              key={verdict}
              on={filters.verdict.includes(verdict)}
              onChange={() => toggle(verdict)}
            >
              <VerdictIcon state={verdictWords[verdict].state} />
              {verdictWords[verdict].word}
            </Toggle>
          ))}
          <Toggle
            on={filters.held === true}
            onChange={(on) => onChange({ held: on ? true : null })}
          >
            Buffered
          </Toggle>
        </ToggleGroup>
      }
      isFiltered={isFiltered(filters)}
      onClear={onClear}
      views={<SavedViews project={project} page="gateway-calls" query={filterQuery(filters)} />}
    >
      <ReasonChoice value={filters.reason} onChange={(reason) => onChange({ reason })} />
      <Choice
        name="Route"
        value={filters.route}
        values={routes}
        onChange={(route) => onChange({ route })}
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
      <SetFilter
        name="Steering"
        value={
          filters.steer.length === 0
            ? null
            : filters.steer.map((state) => steerNames[state]).join(', ')
        }
        onRemove={() => onChange({ steer: [] })}
      />
    </FilterBar>
  );
}

function ReasonChoice({
  value,
  onChange,
}: {
  value: GatewayReason | null;
  onChange: (reason: GatewayReason | null) => void;
}) {
  return (
    <Select
      label="Reason"
      value={value ?? ''}
      options={[
        ['', 'Any reason'],
        ...GatewayReason.options.map((reason) => [reason, reasonWords[reason]] as const),
      ]}
      onChange={(reason) => onChange(reason === '' ? null : reason)}
      className="md:w-44"
    />
  );
}
