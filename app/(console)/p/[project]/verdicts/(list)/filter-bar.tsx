'use client';

import { DayRange } from '@/app/_ui/day-range';
import { SavedViews } from '@/app/(console)/saved-views';
import { FilterBar, ToggleGroup } from '@/app/_ui/filter-bar';
import { Choice, SetFilter, TextFilter, Toggle } from '@/app/_ui/filter-fields';
import { outcomeOrder, verdictStyles } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { figuresWords, type Filters, filterQuery, isFiltered } from '../filters';

interface VerdictFiltersProps {
  project: string;
  filters: Filters;
  models: readonly string[];
  verifiers: readonly string[];
  onChange: (change: Partial<Filters>) => void;
  onClear: () => void;
  /** Escape in the text field returns the focus to the rows. */
  onLeave: () => void;
}

export function VerdictFilters({
  project,
  filters,
  models,
  verifiers,
  onChange,
  onClear,
  onLeave,
}: VerdictFiltersProps) {
  const toggle = (outcome: Filters['outcome'][number]) =>
    onChange({
      outcome: filters.outcome.includes(outcome)
        ? filters.outcome.filter((each) => each !== outcome)
        : [...filters.outcome, outcome],
    });
  return (
    <FilterBar
      toggles={
        <ToggleGroup label="Outcome">
          {outcomeOrder.map((outcome) => (
            <Toggle
              key={outcome}
              on={filters.outcome.includes(outcome)}
              onChange={() => toggle(outcome)}
            >
              <VerdictIcon state={outcome} />
              {verdictStyles[outcome].word}
            </Toggle>
          ))}
        </ToggleGroup>
      }
      isFiltered={isFiltered(filters)}
      onClear={onClear}
      views={<SavedViews project={project} page="verdicts" query={filterQuery(filters)} />}
    >
      <TextFilter
        placeholder="Text in the answer ( / )"
        value={filters.text}
        onChange={(text) => onChange({ text })}
        onLeave={onLeave}
      />
      <Choice
        name="Model"
        value={filters.model === '' ? null : filters.model}
        values={models}
        onChange={(model) => onChange({ model })}
      />
      <Choice
        name="Verifier"
        value={filters.verifier}
        values={verifiers}
        onChange={(verifier) => onChange({ verifier })}
      />
      <TextFilter
        label="Filter by mission"
        placeholder="Mission id"
        maxLength={200}
        value={filters.mission}
        onChange={(mission) => onChange({ mission: mission?.trim() ?? null })}
        onLeave={onLeave}
      />
      <DayRange range={{ from: filters.from, to: filters.to }} onChange={onChange} />
      <SetFilter
        name="Model"
        value={filters.model === '' ? 'none named' : null}
        onRemove={() => onChange({ model: null })}
      />
      <SetFilter
        name="Answers"
        value={filters.figures === null ? null : figuresWords[filters.figures]}
        onRemove={() => onChange({ figures: null })}
      />
      <SetFilter
        name="Session"
        value={filters.session}
        onRemove={() => onChange({ session: null })}
      />
      <SetFilter name="Turn" value={filters.turn} onRemove={() => onChange({ turn: null })} />
      <SetFilter name="Tag" value={filters.tag} onRemove={() => onChange({ tag: null })} />
      <SetFilter
        name="Prompt version"
        value={filters.prompt}
        onRemove={() => onChange({ prompt: null })}
      />
      <SetFilter
        name="Experiment"
        value={filters.experiment}
        onRemove={() => onChange({ experiment: null })}
      />
    </FilterBar>
  );
}
