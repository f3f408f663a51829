'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useId } from 'react';
import { FieldFrame } from './field';
import { inputClass } from './input-styles';

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

const DayButton = dynamic(() => import('./day-button-impl'), { ssr: false });

/** One day, typed as `YYYY-MM-DD` or chosen from a calendar. */
export function DayField({ label, hint, error, ...day }: DayFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
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
    </FieldFrame>
  );
}
