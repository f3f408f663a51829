'use client';

import { useState } from 'react';
import { inputClass } from '@/app/_ui/input-styles';

interface PriceFieldProps {
  label: string;
  value: number;
  max?: number;
  onChange: (value: number) => void;
}

/** A price of 0 or more; text that is not a number remains a draft and changes nothing. */
export function PriceField({ label, value, max = 1e9, onChange }: PriceFieldProps) {
  const [draft, setDraft] = useState(String(value));
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    // The URL changed from outside: it replaces the draft.
    setLastValue(value);
    if (Number(draft) !== value || draft.trim() === '') setDraft(String(value));
  }
  const read = (text: string): number | null => {
    const price = Number(text);
    return text.trim() !== '' && Number.isFinite(price) && price >= 0 && price <= max
      ? price
      : null;
  };
  return (
    <label className="text-ink-2 grid gap-1">
      <span>{label}</span>
      <input
        type="number"
        min={0}
        step="any"
        inputMode="decimal"
        value={draft}
        aria-invalid={read(draft) === null ? true : undefined}
        onChange={(event) => {
          setDraft(event.target.value);
          const price = read(event.target.value);
          if (price !== null) onChange(price);
        }}
        className={`${inputClass} md:w-32`}
      />
    </label>
  );
}
