'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { TrustSettings } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError, SelectField } from '@/app/_ui/field';
import { inputClass } from '@/app/_ui/input-styles';
import { readTrust, type TrustDraft, trustDraftOf, type TrustErrors } from './trust-draft';

interface TrustDialogProps {
  project: string;
  verifier: string;
  settings: readonly TrustSettings[];
  onClose: () => void;
}

/**
 * The requirements for a verifier's trust, and whether it may block without meeting them; for this
 * verifier, or for all without their own settings.
 */
export function TrustDialog({ project, verifier, settings, onClose }: TrustDialogProps) {
  const id = useId();
  const trpc = useTRPC();
  const client = useQueryClient();
  const ownSettings = settings.find((each) => each.verifier === verifier);
  const all = settings.find((each) => each.verifier === null);
  const [scope, setScope] = useState<'own' | 'all'>('own');
  const [draft, setDraft] = useState<TrustDraft | null>(() => draftFrom(ownSettings ?? all));
  const [errors, setErrors] = useState<TrustErrors>({});
  const save = useMutation(
    trpc.trust.putSettings.mutationOptions({
      onSuccess: async () => {
        await client.invalidateQueries({ queryKey: trpc.trust.settings.queryKey() });
        await client.invalidateQueries({ queryKey: trpc.trust.list.queryKey() });
        announce('Trust settings saved');
        onClose();
      },
    }),
  );
  if (draft === null) return null;
  const change = (part: Partial<TrustDraft>) => {
    setErrors({});
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const choose = (next: 'own' | 'all') => {
    setScope(next);
    setErrors({});
    setDraft(draftFrom(next === 'own' ? (ownSettings ?? all) : all));
  };
  const about = scope === 'own' ? verifier : null;
  const submit = () => {
    const read = readTrust(draft);
    if ('errors' in read) setErrors(read.errors);
    else save.mutate({ project, verifier: about, settings: read });
  };
  const field = (
    name: 'catchTarget' | 'falseRejectionTarget' | 'halfLifeDays',
    label: string,
    hint: string,
  ) => (
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
    <Dialog title={`Trust of ${verifier}`} onClose={onClose}>
      <form
        noValidate
        aria-label="Trust settings"
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SelectField
          label="Settings of"
          value={scope}
          options={[
            ['own', verifier],
            ['all', 'all verifiers without settings of their own'],
          ]}
          onChange={choose}
        />
        <div className="flex items-start gap-2">
          <input
            id={`${id}-enforce`}
            type="checkbox"
            aria-describedby={`${id}-enforce-hint`}
            checked={draft.enforceTrust}
            onChange={(event) => change({ enforceTrust: event.target.checked })}
            className="accent-accent mt-1"
          />
          <div className="grid gap-1">
            <label htmlFor={`${id}-enforce`} className="font-semibold">
              Enforce trust
            </label>
            <p id={`${id}-enforce-hint`} className="text-12 text-ink-3">
              Only a qualified verifier may block and steer. Its verdicts do not change.
            </p>
          </div>
        </div>
        {field('catchTarget', 'Catch rate, percent', 'Minimum of the lower bound of its interval.')}
        {field(
          'falseRejectionTarget',
          'False rejections of good items, percent',
          'Maximum of the upper bound of its interval.',
        )}
        {field(
          'halfLifeDays',
          'Half-life of a label, days',
          'A label counts half after this many days; 0: labels do not age.',
        )}
        <SliceField
          value={draft.requiredSlices}
          error={errors.requiredSlices}
          onChange={(requiredSlices) => change({ requiredSlices })}
        />
        <FieldError text={save.error ? problemOf(save.error).message : null} />
        <div className="flex flex-wrap justify-end gap-2">
          {scope === 'own' && ownSettings !== undefined ? (
            <span className="mr-auto">
              <Button
                disabled={save.isPending}
                onClick={() => save.mutate({ project, verifier, settings: null })}
              >
                Use the default settings
              </Button>
            </span>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            Save settings
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const draftFrom = (settings: TrustSettings | undefined): TrustDraft | null =>
  settings === undefined ? null : trustDraftOf(settings);

function SliceField({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        Required slices
      </label>
      <textarea
        id={id}
        rows={2}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className={`${inputClass} h-auto py-1`}
      />
      <p id={`${id}-hint`} className="text-12 text-ink-3">
        Each must meet both targets. One per line: <code className="font-mono">tier: large</code>;
        by model, tier, complexity or mission.
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
