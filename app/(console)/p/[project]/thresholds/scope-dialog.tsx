'use client';

import { useId, useState } from 'react';
import { FormDialog } from '@/app/_ui/form-dialog';
import { Field } from '@/app/_ui/field';
import type { Scope } from './threshold-values';
import { draftOf, readScope, type ScopeDraft, type ScopeErrors } from './scope-draft';

interface ScopeDialogProps {
  scope: Scope;
  onChoose: (scope: Scope) => void;
  onClose: () => void;
}

const kinds = [
  ['project', 'The whole project'],
  ['mission', 'One mission'],
  ['task', 'One task'],
] as const satisfies readonly (readonly [ScopeDraft['kind'], string])[];

/** VS-33: the most specific value decides. */
export function ScopeDialog({ scope, onChoose, onClose }: ScopeDialogProps) {
  const name = useId();
  const [draft, setDraft] = useState(draftOf(scope));
  const [errors, setErrors] = useState<ScopeErrors>({});
  const change = (part: Partial<ScopeDraft>) => {
    setErrors({});
    setDraft((before) => ({ ...before, ...part }));
  };
  return (
    <FormDialog
      title="Scope"
      onClose={onClose}
      action="Show these verdicts"
      onSubmit={() => {
        const read = readScope(draft);
        if ('errors' in read) setErrors(read.errors);
        else onChoose(read);
      }}
    >
      <p className="text-ink-2">
        The value of a task takes precedence over that of its mission, and that over the project’s.
      </p>
      <fieldset role="radiogroup" aria-label="Scope" className="flex flex-wrap gap-x-4 gap-y-1">
        {kinds.map(([kind, label]) => (
          <label key={kind} className="flex min-h-6 items-center gap-1.5">
            <input
              type="radio"
              name={name}
              checked={draft.kind === kind}
              onChange={() => change({ kind })}
              className="accent-accent"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {draft.kind === 'project' ? null : (
        <div className="grid gap-3 sm:grid-cols-2">
          <Field
            label="Mission id"
            hint={draft.kind === 'task' ? 'Empty: a task of no mission.' : undefined}
            mono
            maxLength={200}
            autoComplete="off"
            value={draft.mission}
            error={errors.mission}
            onChange={(event) => change({ mission: event.target.value })}
          />
          {draft.kind === 'task' ? (
            <Field
              label="Task id"
              mono
              maxLength={200}
              autoComplete="off"
              value={draft.task}
              error={errors.task}
              onChange={(event) => change({ task: event.target.value })}
            />
          ) : null}
        </div>
      )}
    </FormDialog>
  );
}
