'use client';

import { FormDialog } from '@/app/_ui/form-dialog';
import { DayField } from '@/app/_ui/day-field';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
import { newPrice, type PriceDraft, readPrice } from './price-draft';

const amounts = [
  ['input', 'Input', 'US dollars per million tokens.'],
  ['output', 'Output', 'US dollars per million tokens.'],
  ['cacheRead', 'Cache read', 'Empty: as input.'],
  ['cacheWrite', 'Cache write', 'Empty: as input.'],
  ['reasoning', 'Reasoning', 'Empty: as output.'],
] as const;

interface PriceDialogProps {
  project: string;
  onSaved: () => void;
  onClose: () => void;
}

export function PriceDialog({ project, onSaved, onClose }: PriceDialogProps) {
  const [draft, setDraft] = useState(newPrice);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const put = useMutation(
    useTRPC().models.putPrice.mutationOptions({
      onSuccess: () => {
        announce('Price saved');
        onSaved();
        onClose();
      },
    }),
  );
  const problem = put.error ? problemOf(put.error) : null;
  const set = (field: keyof PriceDraft) => (event: { target: { value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value });
  const submit = () => {
    const read = readPrice(draft);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok) put.mutate({ project, ...read.input });
  };
  return (
    <FormDialog
      title="Add price"
      onClose={onClose}
      action="Save price"
      busy={put.isPending}
      problem={problem?.message ?? null}
      onSubmit={submit}
    >
      <Field
        label="Model"
        mono
        hint="An identity, such as gpt-4o, or one name as clients send it."
        value={draft.model}
        error={errors.model}
        onChange={set('model')}
      />
      <DayField
        label="Valid from"
        hint="The first UTC day. The price ends where the next one begins."
        value={draft.validFrom}
        error={errors.validFrom}
        onChange={(validFrom) => setDraft({ ...draft, validFrom })}
      />
      <div className="grid gap-2 sm:grid-cols-2">
        {amounts.map(([field, label, hint]) => (
          <Field
            key={field}
            label={label}
            hint={hint}
            inputMode="decimal"
            value={draft[field]}
            error={errors[field]}
            onChange={set(field)}
          />
        ))}
      </div>
    </FormDialog>
  );
}
