'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewSettings } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import { draftOf, readReview, type ReviewDraft, type ReviewErrors } from './review-draft';

interface SettingsDialogProps {
  project: string;
  /** Null for all verifiers without settings of their own. */
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
    <Dialog
      title={verifier === null ? 'Review of all verifiers' : `Review of ${verifier}`}
      onClose={onClose}
    >
      <form
        noValidate
        aria-label="Review settings"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
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
        <FieldError text={save.error ? problemOf(save.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save settings
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
