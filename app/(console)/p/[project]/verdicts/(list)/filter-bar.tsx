'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { inputClass } from '@/app/_ui/field';
import { outcomeOrder, verdictLooks } from '@/app/_ui/verdict-looks';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
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
        {outcomeOrder.map((outcome) => {
          const on = filters.outcome.includes(outcome);
          return (
            <button
              key={outcome}
              type="button"
              aria-pressed={on}
              onClick={() => toggle(outcome)}
              className={`rounded-4 flex h-8 items-center gap-2 border px-2.5 ${on ? 'bg-accent-wash border-accent font-semibold' : 'border-line bg-surface text-ink-2 hover:bg-hover'}`}
            >
              <VerdictIcon state={outcome} />
              {verdictLooks[outcome].word}
            </button>
          );
        })}
      </div>
      <div className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <TextFilter value={filters.text} onChange={(text) => onChange({ text })} onLeave={onLeave} />
        <Choice name="Model" value={filters.model} values={models} onChange={(model) => onChange({ model })} />
        <Choice name="Verifier" value={filters.verifier} values={verifiers} onChange={(verifier) => onChange({ verifier })} />
        <DayFilter name="From" value={filters.from} onChange={(from) => onChange({ from })} />
        <DayFilter name="To" value={filters.to} endOfDay onChange={(to) => onChange({ to })} />
        {filters.session === null ? null : (
          <div className="col-span-2">
            <Button onClick={() => onChange({ session: null })} aria-label={`Remove filter: session ${plainText(filters.session)}`}>
              Session <Cut text={filters.session} /> ×
            </Button>
          </div>
        )}
        {filters.turn === null ? null : (
          <div className="col-span-2">
            <Button onClick={() => onChange({ turn: null })} aria-label={`Remove filter: turn ${plainText(filters.turn)}`}>
              Turn <Cut text={filters.turn} /> ×
            </Button>
          </div>
        )}
        {isFiltered(filters) ? (
          <Button look="quiet" onClick={onClear}>
            Clear filters
          </Button>
        ) : null}
      </div>
    </search>
  );
}

function Cut({ text }: { text: string }) {
  return (
    <code className="text-12 max-w-40 truncate font-mono [unicode-bidi:isolate]" title={plainText(text)}>
      <VisibleText text={text} />
    </code>
  );
}

/** Typing filters after a pause; the address changes once, not per letter. */
function TextFilter({ value, onChange, onLeave }: { value: string | null; onChange: (value: string | null) => void; onLeave: () => void }) {
  const [draft, setDraft] = useState(value ?? '');
  const [seen, setSeen] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  if (seen !== value) {
    // The address changed from outside (back, clear): it wins over the draft.
    setSeen(value);
    setDraft(value ?? '');
  }
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  const send = (text: string) => onChange(text.trim() === '' ? null : text);
  return (
    <input
      type="search"
      aria-label="Filter by text"
      placeholder="Text in the answer ( / )"
      value={draft}
      onChange={(event) => {
        const text = event.target.value;
        setDraft(text);
        if (timer.current) clearTimeout(timer.current);
        timer.current = setTimeout(() => send(text), 300);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== 'Escape') return;
        event.preventDefault();
        if (timer.current) clearTimeout(timer.current);
        if (event.key === 'Enter') send(draft);
        onLeave();
      }}
      className={`${inputClass} col-span-2 md:w-64`}
    />
  );
}

interface ChoiceProps {
  name: string;
  value: string | null;
  values: readonly string[];
  onChange: (value: string | null) => void;
}

function Choice({ name, value, values, onChange }: ChoiceProps) {
  // A filter from an old address must show itself even when no row has its value any more.
  const all = value === null || values.includes(value) ? values : [value, ...values];
  return (
    <select
      aria-label={name}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
      className={`${inputClass} md:w-44`}
    >
      <option value="">{`Any ${name.toLowerCase()}`}</option>
      {all.map((each) => (
        <option key={each} value={each}>
          {plainText(each)}
        </option>
      ))}
    </select>
  );
}

interface DayFilterProps {
  name: string;
  value: Date | null;
  endOfDay?: boolean;
  onChange: (value: Date | null) => void;
}

/** Days are UTC days, as in the charts. */
function DayFilter({ name, value, endOfDay = false, onChange }: DayFilterProps) {
  return (
    <label className="text-ink-2 flex items-center gap-2">
      <span className="w-8 shrink-0 md:w-auto">{name}</span>
      <input
        type="date"
        value={value?.toISOString().slice(0, 10) ?? ''}
        onChange={(event) => {
          const day = event.target.value;
          onChange(day === '' ? null : new Date(`${day}T${endOfDay ? '23:59:59.999' : '00:00:00'}Z`));
        }}
        className={`${inputClass} md:w-36`}
      />
    </label>
  );
}
