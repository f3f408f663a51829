'use client';

import { useId, useState } from 'react';
import { Field, FieldError, inputClass } from '@/app/_ui/field';

interface JudgeFieldProps {
  label: string;
  hint: string;
  /** The meaning of an empty value. */
  none: string;
  models: readonly string[];
  value: string;
  error: string | undefined;
  disabled: boolean;
  onChange: (value: string) => void;
}

const other = 'other';

/** One of the project's models, or any other by its name. */
export function JudgeField({
  label,
  hint,
  none,
  models,
  value,
  error,
  disabled,
  onChange,
}: JudgeFieldProps) {
  const id = useId();
  const [isOther, setOther] = useState(value !== '' && !models.includes(value));
  return (
    <div className="grid max-w-[480px] gap-2">
      <div className="grid gap-1">
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <select
          id={id}
          disabled={disabled}
          aria-describedby={`${id}-hint`}
          value={isOther ? other : value === '' ? '' : `model ${value}`}
          onChange={(event) => {
            const chosen = event.target.value;
            setOther(chosen === other);
            onChange(chosen === other || chosen === '' ? '' : chosen.slice('model '.length));
          }}
          className={inputClass}
        >
          <option value="">{none}</option>
          {models.map((model) => (
            <option key={model} value={`model ${model}`}>
              {model}
            </option>
          ))}
          <option value={other}>Another model …</option>
        </select>
        <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
          {hint}
        </p>
      </div>
      {isOther ? (
        <Field
          label={`${label}: provider:model`}
          placeholder="openai:gpt-4o-mini?temperature=0.3"
          mono
          autoComplete="off"
          disabled={disabled}
          value={value}
          error={error}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <FieldError text={error} />
      )}
    </div>
  );
}
