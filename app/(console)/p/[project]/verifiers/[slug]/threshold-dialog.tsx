'use client';

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Threshold } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import { plainNumber } from '../../verdicts/[id]/subject/words';
import { readThreshold, type ThresholdDraft, type ThresholdErrors } from './threshold-draft';

interface ThresholdDialogProps {
  project: string;
  verifier: string;
  threshold: Threshold;
  onSaved: () => void;
  onClose: () => void;
}

const scopes = [
  ['project', 'The whole project'],
  ['mission', 'One mission'],
  ['task', 'One task'],
] as const satisfies readonly (readonly [ThresholdDraft['scope'], string])[];

export function ThresholdDialog({ project, verifier, threshold, onSaved, onClose }: ThresholdDialogProps) {
  const { key, least, most, meaning } = threshold;
  const [draft, setDraft] = useState<ThresholdDraft>({
    value: plainNumber(threshold.value),
    scope: 'project',
    mission: '',
    task: '',
    reason: '',
  });
  const [errors, setErrors] = useState<ThresholdErrors>({});
  const put = useMutation(
    useTRPC().thresholds.put.mutationOptions({
      onSuccess: () => {
        announce('Threshold moved');
        onSaved();
        onClose();
      },
    }),
  );
  const change = (part: Partial<ThresholdDraft>) => {
    setErrors({});
    put.reset();
    setDraft((before) => ({ ...before, ...part }));
  };
  const submit = () => {
    const read = readThreshold(draft);
    if ('errors' in read) return setErrors(read.errors);
    put.mutate({ project, verifier, key, body: read });
  };
  const problem = put.error ? problemOf(put.error) : null;
  const ofValue = problem?.fields['value'] === undefined ? null : problem.message;
  return (
    <Dialog title={`Move ${key}`} onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p className="text-ink-2">{meaning} Verdicts that are stored keep what decided them.</p>
        <Field
          label="Value"
          hint={`${least} to ${most}; inclusive.`}
          inputMode="decimal"
          autoComplete="off"
          value={draft.value}
          error={errors.value ?? ofValue}
          onChange={(event) => change({ value: event.target.value })}
        />
        <ScopeFields draft={draft} errors={errors} onChange={change} />
        <Field
          label="Reason"
          hint="Stands in the audit, and beside the value."
          maxLength={1000}
          autoComplete="off"
          value={draft.reason}
          onChange={(event) => change({ reason: event.target.value })}
        />
        <FieldError text={problem !== null && ofValue === null ? problem.message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={put.isPending}>
            Move threshold
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ScopeFieldsProps {
  draft: ThresholdDraft;
  errors: ThresholdErrors;
  onChange: (part: Partial<ThresholdDraft>) => void;
}

function ScopeFields({ draft, errors, onChange }: ScopeFieldsProps) {
  const name = useId();
  return (
    <fieldset role="radiogroup" aria-label="For which work" className="grid gap-2">
      <legend className="pb-1 font-semibold">For which work</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        {scopes.map(([scope, label]) => (
          <label key={scope} className="flex min-h-6 items-center gap-1.5">
            <input
              type="radio"
              name={name}
              checked={draft.scope === scope}
              onChange={() => onChange({ scope })}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
      {draft.scope === 'project' ? null : (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="Mission id"
            hint={draft.scope === 'task' ? 'Empty: a task of no mission.' : undefined}
            mono
            autoComplete="off"
            value={draft.mission}
            error={errors.mission}
            onChange={(event) => onChange({ mission: event.target.value })}
          />
          {draft.scope === 'task' ? (
            <Field
              label="Task id"
              mono
              autoComplete="off"
              value={draft.task}
              error={errors.task}
              onChange={(event) => onChange({ task: event.target.value })}
            />
          ) : null}
        </div>
      )}
    </fieldset>
  );
}
