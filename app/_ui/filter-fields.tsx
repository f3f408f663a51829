'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from './button';
import { inputClass } from './input-styles';
import { Select } from './select';
import { plainText, VisibleText } from './visible-text';

/** The fields of a filter bar; their values are in the URL. */

/** A filter set by a link, which can be removed; renders nothing when it is not set. */
export function SetFilter({
  name,
  value,
  onRemove,
}: {
  name: string;
  value: string | null;
  onRemove: () => void;
}) {
  if (value === null) return null;
  return (
    <div className="col-span-2">
      <Button
        onClick={onRemove}
        aria-label={`Remove filter: ${name.toLowerCase()} ${plainText(value)}`}
      >
        {name}{' '}
        <code
          className="text-12 max-w-40 truncate font-mono [unicode-bidi:isolate]"
          title={plainText(value)}
        >
          <VisibleText text={value} />
        </code>{' '}
        ×
      </Button>
    </div>
  );
}

export function Toggle({
  on,
  onChange,
  children,
}: {
  on: boolean;
  onChange: (on: boolean) => void;
  children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onChange(!on)}
      className={`rounded-4 flex h-8 items-center gap-2 border px-2.5 ${on ? 'bg-accent-wash border-accent font-semibold' : 'border-line bg-surface text-ink-2 hover:bg-hover'}`}
    >
      {children}
    </button>
  );
}

interface TextFilterProps {
  label?: string;
  maxLength?: number;
  value: string | null;
  placeholder: string;
  onChange: (value: string | null) => void;
  /** Enter and Escape return the focus to the rows. */
  onLeave: () => void;
}

/** Typing filters after a pause; the URL changes once, not per letter. */
export function TextFilter({
  label = 'Filter by text',
  maxLength,
  value,
  placeholder,
  onChange,
  onLeave,
}: TextFilterProps) {
  const [draft, setDraft] = useState(value ?? '');
  const [lastValue, setLastValue] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  if (lastValue !== value) {
    // The URL changed from outside (Back, clear): it replaces the draft.
    setLastValue(value);
    setDraft(value ?? '');
  }
  useEffect(() => () => void (timer.current && clearTimeout(timer.current)), []);
  const send = (text: string) => onChange(text.trim() === '' ? null : text);
  return (
    <input
      type="search"
      aria-label={label}
      maxLength={maxLength}
      placeholder={placeholder}
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

export function Choice({ name, value, values, onChange }: ChoiceProps) {
  // A filter from an old URL must be shown even if no row has its value any more.
  const all = value === null || values.includes(value) ? values : [value, ...values];
  return (
    <Select
      label={name}
      value={value ?? ''}
      options={[
        ['', `Any ${name.toLowerCase()}`],
        ...all.map((each) => [each, plainText(each)] as const),
      ]}
      onChange={(chosen) => onChange(chosen === '' ? null : chosen)}
      className="md:w-44"
    />
  );
}
