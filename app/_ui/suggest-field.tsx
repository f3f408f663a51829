'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useId } from 'react';
import { FieldFrame } from './field';

export interface SuggestInputProps {
  readonly id: string;
  readonly value: string;
  /** Any other text is valid, too. */
  readonly suggestions: readonly string[];
  readonly describedBy: string;
  readonly isInvalid: boolean;
  readonly mono: boolean;
  readonly onChange: (value: string) => void;
}

interface SuggestFieldProps extends Pick<SuggestInputProps, 'value' | 'suggestions' | 'onChange'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly mono?: boolean;
}

const SuggestInput = dynamic(() => import('./suggest-input-impl'), {
  ssr: false,
  loading: () => <div className="h-8" />,
});

/** As `Field`, with known values that match the typed text. */
export function SuggestField({ label, hint, error, mono = false, ...input }: SuggestFieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <SuggestInput
        {...input}
        id={id}
        mono={mono}
        isInvalid={error !== undefined}
        describedBy={`${id}-hint ${id}-error`}
      />
    </FieldFrame>
  );
}
