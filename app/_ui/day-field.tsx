'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useId } from 'react';
import { FieldError } from './field';
import { inputClass } from './input-look';

export interface DayButtonProps {
  /** `YYYY-MM-DD`, or another text while it is typed. */
  readonly value: string;
  /** The last day that can be chosen. */
  readonly max?: string | undefined;
  readonly onChange: (value: string) => void;
}

interface DayFieldProps extends DayButtonProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}

const DayButton = dynamic(() => import('./day-button-drawn'), { ssr: false });

/** One day, typed as `YYYY-MM-DD` or chosen from a calendar. */
export function DayField({ label, hint, error, ...day }: DayFieldProps) {
  const id = useId();
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="flex gap-1">
        <input
          id={id}
          inputMode="numeric"
          autoComplete="off"
          placeholder="YYYY-MM-DD"
          value={day.value}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={(event) => day.onChange(event.target.value)}
          className={inputClass}
        />
        <DayButton {...day} />
      </div>
      <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
        {hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
