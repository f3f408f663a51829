'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewSettings } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
import { draftOf, readReview, type ReviewDraft, type ReviewErrors } from './review-draft';

interface SettingsDialogProps {
  project: string;
  /** Null for all verifiers without their own settings. */
  verifier: string | null;
  settings: ReviewSettings;
  onClose: () => void;
}

export function SettingsDialog({ project, verifier, settings, onClose }: SettingsDialogProps) {
  const id = useId();
  const trpc = useTRPC();
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [errors, setErrors] = useState<ReviewErrors>({});
  const save = useMutation(
    trpc.review.putSettings.mutationOptions({
      onSuccess: async () => {
        await client.invalidateQueries({ queryKey: trpc.review.settings.queryKey() });
        announce('Settings saved');
        onClose();
      },
    }),
  );
  const change = (part: Partial<ReviewDraft>) => {
    setErrors({});
    save.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const submit = () => {
    const read = readReview(draft);
    if ('errors' in read) setErrors(read.errors);
    else save.mutate({ project, verifier, settings: read });
  };
  const field = (name: 'auditRate' | 'uncertainBand' | 'raters', label: string, hint: string) => (
    <Field
      label={label}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      value={draft[name]}
      error={errors[name]}
      onChange={(event) => change({ [name]: event.target.value })}
    />
  );
  return (
    <FormDialog
      title={verifier === null ? 'Review of all verifiers' : `Review of ${verifier}`}
      onClose={onClose}
      action="Save settings"
      busy={save.isPending}
      problem={save.error ? problemOf(save.error).message : null}
      onSubmit={submit}
    >
      {verifier === null ? (
        <p className="text-ink-2">For every verifier that has no settings of its own.</p>
      ) : null}
      {field('auditRate', 'Audit, percent', 'Of decided verdicts, drawn at random.')}
      {field(
        'uncertainBand',
        'Uncertain, percent of the scale',
        'Scores this close to their threshold, on either side.',
      )}
      {field('raters', 'People per item', 'An item is done when this many people have ruled.')}
      <div className="flex items-start gap-2">
        <input
          id={`${id}-blind`}
          type="checkbox"
          aria-describedby={`${id}-blind-hint`}
          checked={draft.blind}
          onChange={(event) => change({ blind: event.target.checked })}
          className="accent-accent mt-1"
        />
        <div className="grid gap-1">
          <label htmlFor={`${id}-blind`} className="font-semibold">
            Blind
          </label>
          <p id={`${id}-blind-hint`} className="text-12 text-ink-3">
            Shows the verdict and the rulings of others only after the ruling.
          </p>
        </div>
      </div>
    </FormDialog>
  );
}
