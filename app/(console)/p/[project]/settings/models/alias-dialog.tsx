'use client';

import { FormDialog } from '@/app/_ui/form-dialog';
import { SuggestField } from '@/app/_ui/suggest-field';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ModelSettings } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { fieldErrors } from '@/app/field-errors';
import { PutAlias } from '@/server/ingest/input';

interface AliasDialogProps {
  project: string;
  /** Offered as suggestions. */
  names: ModelSettings['names'];
  onSaved: () => void;
  onClose: () => void;
}

export function AliasDialog({ project, names, onSaved, onClose }: AliasDialogProps) {
  const [draft, setDraft] = useState({ alias: '', model: '' });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const put = useMutation(
    useTRPC().models.putAlias.mutationOptions({
      onSuccess: () => {
        announce('Alias saved');
        onSaved();
        onClose();
      },
    }),
  );
  const problem = put.error ? problemOf(put.error) : null;
  const wrong = { ...problem?.fields, ...errors };
  const submit = () => {
    const read = PutAlias.safeParse(draft);
    setErrors(read.success ? {} : fieldErrors(read.error.issues, draft));
    if (read.success) put.mutate({ project, ...read.data });
  };
  return (
    <FormDialog
      title="Add alias"
      onClose={onClose}
      action="Save alias"
      busy={put.isPending}
      problem={
        problem !== null && Object.keys(problem.fields).length === 0 ? problem.message : null
      }
      onSubmit={submit}
    >
      <SuggestField
        label="Alias"
        mono
        suggestions={names.map((each) => each.name)}
        hint="The name that clients send; not case-sensitive."
        value={draft.alias}
        error={wrong.alias}
        onChange={(alias) => setDraft({ ...draft, alias })}
      />
      <SuggestField
        label="Model"
        mono
        suggestions={names.map((each) => each.identity)}
        hint="The model that it counts as. Enter the alias itself to keep it separate."
        value={draft.model}
        error={wrong.model}
        onChange={(model) => setDraft({ ...draft, model })}
      />
    </FormDialog>
  );
}
