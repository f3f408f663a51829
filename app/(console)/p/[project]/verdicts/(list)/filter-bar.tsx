'use client';

import { Button } from '@/app/_ui/button';
import { Choice, DayFilter, SetFilter, TextFilter, Toggle } from '@/app/_ui/filter-fields';
import { outcomeOrder, verdictLooks } from '@/app/_ui/verdict-looks';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { type Filters, isFiltered } from '../filters';

interface FilterBarProps {
  filters: Filters;
  models: readonly string[];
  verifiers: readonly string[];
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
  /** Escape in the text field gives the focus back to the rows. */
  onLeave: () => void;
}

export function FilterBar({ filters, models, verifiers, onChange, onClear, onLeave }: FilterBarProps) {
  const toggle = (outcome: Filters['outcome'][number]) =>
    onChange({
      outcome: filters.outcome.includes(outcome) ? filters.outcome.filter((each) => each !== outcome) : [...filters.outcome, outcome],
    });
  return (
    <search aria-label="Filters" className="grid gap-2">
      <div role="group" aria-label="Outcome" className="flex flex-wrap gap-1">
        {outcomeOrder.map((outcome) => (
          <Toggle key={outcome} on={filters.outcome.includes(outcome)} onChange={() => toggle(outcome)}>
            <VerdictIcon state={outcome} />
            {verdictLooks[outcome].word}
          </Toggle>
        ))}
      </div>
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <TextFilter placeholder="Text in the answer ( / )" value={filters.text} onChange={(text) => onChange({ text })} onLeave={onLeave} />
        <Choice name="Model" value={filters.model} values={models} onChange={(model) => onChange({ model })} />
        <Choice name="Verifier" value={filters.verifier} values={verifiers} onChange={(verifier) => onChange({ verifier })} />
        <DayFilter name="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <DayFilter name="To" value={filters.to} endOfDay onChange={(to) => onChange({ to })} />
        <SetFilter name="Session" value={filters.session} onRemove={() => onChange({ session: null })} />
        <SetFilter name="Turn" value={filters.turn} onRemove={() => onChange({ turn: null })} />
        {isFiltered(filters) ? (
          <Button look="quiet" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}
