'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Rule } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { SourceFields } from '@/app/(console)/source-fields';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError } from '@/app/_ui/field';
import {
  type DraftErrors,
  draftOf,
  fieldErrorsOf,
  newDraft,
  readDraft,
  type RuleDraft,
} from './rule-draft';

interface RuleDialogProps {
  project: string;
  /** Null for a new rule. */
  rule: Rule | null;
  /** Names that are taken. */
  names: readonly string[];
  onSaved: () => void;
  onClose: () => void;
}

export function RuleDialog({ project, rule, names, onSaved, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState<RuleDraft>(rule === null ? newDraft : draftOf(rule));
  const [errors, setErrors] = useState<DraftErrors>({});
  const put = useMutation(
    useTRPC().rules.put.mutationOptions({
      onSuccess: () => {
        announce(rule === null ? 'Rule created' : 'Rule changed');
        onSaved();
        onClose();
      },
      onError: (error) => setErrors(fieldErrorsOf(problemOf(error).fields)),
    }),
  );
  const submit = () => {
    const read = readDraft(draft);
    const taken = rule === null && names.includes(draft.name.trim());
    if ('errors' in read || taken)
      return setErrors({
        ...('errors' in read ? read.errors : {}),
        ...(taken && { name: 'There is a rule of this name.' }),
      });
    setErrors({});
    put.mutate({ project, ...read });
  };
  return (
    <Dialog title={rule === null ? 'Create rule' : `Edit the rule ${rule.name}`} onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <RuleFields
          draft={draft}
          errors={errors}
          isNew={rule === null}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
        <FieldError
          text={put.error && Object.keys(errors).length === 0 ? problemOf(put.error).message : null}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={put.isPending}>
            {rule === null ? 'Create rule' : 'Save rule'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface RuleFieldsProps {
  draft: RuleDraft;
  errors: DraftErrors;
  isNew: boolean;
  onChange: (change: Partial<RuleDraft>) => void;
}

type TextField = {
  [Name in keyof RuleDraft]: RuleDraft[Name] extends string ? Name : never;
}[keyof RuleDraft];

function RuleFields({ draft, errors, isNew, onChange }: RuleFieldsProps) {
  const text = (name: Exclude<TextField, 'sources' | 'sourceBlocks'>) => ({
    value: draft[name],
    error: errors[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Name" {...text('name')} readOnly={!isNew} />
        <Field
          label="Verifier"
          hint="The one of this release is integrity."
          {...text('verifier')}
        />
      </div>
      <fieldset className="grid gap-3">
        <legend className="pb-1 font-semibold">Which turns</legend>
        <p className="text-12 text-ink-3">
          What is left empty matches every turn. * stands for any characters; commas stand between
          choices.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label="Model" placeholder="openai/*, claude-*" mono {...text('model')} />
          <Field label="Source" placeholder="chat" mono {...text('source')} />
          <Field label="Origin" placeholder="api, otlp, import, gateway" mono {...text('origin')} />
          <Field label="Session" placeholder="s-*" mono {...text('session')} />
          <Field label="Tags, all of them" placeholder="prod, eu" mono {...text('tags')} />
          <Field label="Metadata, JSON" placeholder='{"team": "ops"}' mono {...text('metadata')} />
          <Field label="Shortest answer, characters" inputMode="numeric" {...text('minChars')} />
          <SourcesChoice
            value={draft.sources}
            error={errors.sources}
            onChange={(sources) => onChange({ sources })}
          />
        </div>
      </fieldset>
      <fieldset className="grid gap-3">
        <legend className="pb-1 font-semibold">Sources in messages</legend>
        <p className="text-12 text-ink-3">
          Tool results and context blocks always count as sources.
        </p>
        <SourceFields draft={draft} errors={errors} onChange={onChange} />
      </fieldset>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <Field label="Share, percent" inputMode="decimal" {...text('share')} />
        <Field label="Delay, seconds" inputMode="numeric" {...text('delay')} />
        <Field
          label="Turns a day"
          hint="UTC; empty: no limit."
          inputMode="numeric"
          {...text('budget')}
        />
      </div>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent size-4"
          checked={draft.enabled}
          onChange={(event) => onChange({ enabled: event.target.checked })}
        />
        Enabled
      </label>
    </>
  );
}

const sourceChoices = {
  any: 'with sources or without',
  with: 'with sources',
  without: 'without sources',
} as const;

interface SourcesChoiceProps {
  value: RuleDraft['sources'];
  error: string | undefined;
  onChange: (value: RuleDraft['sources']) => void;
}

function SourcesChoice({ value, error, onChange }: SourcesChoiceProps) {
  return (
    <label className="grid content-start gap-1">
      <span className="font-semibold">Tool results or context</span>
      <select
        value={value}
        onChange={(event) =>
          onChange(
            event.target.value === 'with' || event.target.value === 'without'
              ? event.target.value
              : 'any',
          )
        }
        className="bg-surface text-ink rounded-4 text-13 border-line-strong h-8 w-full border px-2"
      >
        {Object.entries(sourceChoices).map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </select>
      <FieldError text={error} />
    </label>
  );
}
