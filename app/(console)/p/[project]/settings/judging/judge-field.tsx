'use client';

import { useState } from 'react';
import { Field, SelectField } from '@/app/_ui/field';

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
  const [isOther, setOther] = useState(value !== '' && !models.includes(value));
  return (
    <div className="grid max-w-[480px] gap-2">
      <SelectField
        label={label}
        disabled={disabled}
        value={isOther ? other : value === '' ? '' : `model ${value}`}
        options={[
          ['', none],
          ...models.map((model) => [`model ${model}`, model] as const),
          [other, 'Another model …'],
        ]}
        onChange={(chosen) => {
          setOther(chosen === other);
          onChange(chosen === other || chosen === '' ? '' : chosen.slice('model '.length));
        }}
        hint={hint}
        error={isOther ? undefined : error}
      />
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
      ) : null}
    </div>
  );
}
