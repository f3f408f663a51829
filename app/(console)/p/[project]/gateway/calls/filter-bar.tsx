'use client';

import { Button } from '@/app/_ui/button';
import { Choice, DayFilter, SetFilter, Toggle } from '@/app/_ui/filter-fields';
import { inputClass } from '@/app/_ui/field';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { GatewayReason } from '@/server/domain';
import { type Filters, isFiltered } from '../filters';
import { reasonWords, steerNames, verdictOrder, verdictWords } from '../gateway-words';

interface FilterBarProps {
  filters: Filters;
  models: readonly string[];
  routes: readonly string[];
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
}

export function FilterBar({ filters, models, routes, onChange, onClear }: FilterBarProps) {
  const toggle = (verdict: Filters['verdict'][number]) =>
    onChange({
      verdict: filters.verdict.includes(verdict) ? filters.verdict.filter((each) => each !== verdict) : [...filters.verdict, verdict],
    });
  return (
    <search aria-label="Filters" className="grid gap-2">
      <div role="group" aria-label="Verdict" className="flex flex-wrap gap-1">
        {verdictOrder.map((verdict) => (
          <Toggle key={verdict} on={filters.verdict.includes(verdict)} onChange={() => toggle(verdict)}>
            <VerdictIcon state={verdictWords[verdict].state} />
            {verdictWords[verdict].word}
          </Toggle>
        ))}
        <Toggle on={filters.held === true} onChange={(on) => onChange({ held: on ? true : null })}>
          Held
        </Toggle>
      </div>
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <ReasonChoice value={filters.reason} onChange={(reason) => onChange({ reason })} />
        <Choice name="Route" value={filters.route} values={routes} onChange={(route) => onChange({ route })} />
        <Choice name="Model" value={filters.model} values={models} onChange={(model) => onChange({ model })} />
        <DayFilter name="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <DayFilter name="To" value={filters.to} endOfDay onChange={(to) => onChange({ to })} />
        <SetFilter name="Session" value={filters.session} onRemove={() => onChange({ session: null })} />
        <SetFilter
          name="Steering"
          value={filters.steer.length === 0 ? null : filters.steer.map((state) => steerNames[state]).join(', ')}
          onRemove={() => onChange({ steer: [] })}
        />
        {isFiltered(filters) ? (
          <Button look="quiet" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}

function ReasonChoice({ value, onChange }: { value: GatewayReason | null; onChange: (reason: GatewayReason | null) => void }) {
  return (
    <select
      aria-label="Reason"
      value={value ?? ''}
      onChange={(event) => onChange(GatewayReason.safeParse(event.target.value).data ?? null)}
      className={`${inputClass} md:w-44`}
    >
      <option value="">Any reason</option>
      {GatewayReason.options.map((reason) => (
        <option key={reason} value={reason}>
          {reasonWords[reason]}
        </option>
      ))}
    </select>
  );
}
