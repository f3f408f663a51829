'use client';

import { useId, useState } from 'react';
import { FormDialog } from '@/app/_ui/form-dialog';
import { Field, FieldError, SelectField } from '@/app/_ui/field';
import {
  bandRanges,
  complexities,
  exampleBands,
  exampleLimits,
  type PromptExample,
} from '@/server/domain';
import { type ExampleDraft, type ExampleErrors, readDraft } from './front-matter-examples';

interface ExampleDialogProps {
  title: string;
  initial: ExampleDraft;
  onSave: (example: PromptExample) => void;
  onClose: () => void;
}

/** Creates or edits one example. It stores nothing: the example goes into the draft. */
export function ExampleDialog({ title, initial, onSave, onClose }: ExampleDialogProps) {
  const [draft, setDraft] = useState(initial);
  const [errors, setErrors] = useState<ExampleErrors>({});
  const change = (part: Partial<ExampleDraft>) => setDraft({ ...draft, ...part });
  const submit = () => {
    const read = readDraft(draft);
    if ('errors' in read) return setErrors(read.errors);
    onSave(read.example);
  };
  return (
    <FormDialog title={title} onClose={onClose} wide action="Save to draft" onSubmit={submit}>
      <div className="grid gap-4 sm:grid-cols-3">
        <SelectField
          label="Band"
          value={draft.band}
          options={exampleBands.map((band) => [band, `${band}, ${bandRanges[band]}`])}
          onChange={(value) =>
            change({ band: exampleBands.find((each) => each === value) ?? draft.band })
          }
        />
        <Field
          label="Score"
          inputMode="decimal"
          autoComplete="off"
          value={draft.score}
          error={errors.score}
          onChange={(event) => change({ score: event.target.value })}
        />
        <SelectField
          label="Complexity"
          value={draft.complexity}
          options={complexities.map((each) => [each, each])}
          onChange={(value) =>
            change({
              complexity: complexities.find((each) => each === value) ?? draft.complexity,
            })
          }
        />
      </div>
      <Text
        label="Query"
        rows={2}
        maxChars={exampleLimits.queryChars}
        value={draft.query}
        error={errors.query}
        onChange={(query) => change({ query })}
      />
      <Text
        label="Decomposition"
        hint="As the judge receives it: the goal, a line for each subgoal with its agent, the order."
        rows={8}
        maxChars={exampleLimits.workChars}
        value={draft.decomposition}
        error={errors.decomposition}
        onChange={(decomposition) => change({ decomposition })}
      />
      <Text
        label="Why it has this score"
        rows={3}
        maxChars={exampleLimits.reasonChars}
        value={draft.reasoning}
        error={errors.reasoning}
        onChange={(reasoning) => change({ reasoning })}
      />
    </FormDialog>
  );
}

interface TextProps {
  label: string;
  hint?: string;
  rows: number;
  maxChars: number;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function Text({ label, hint, rows, maxChars, value, error, onChange }: TextProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        maxLength={maxChars}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={(event) => onChange(event.target.value)}
        className="bg-surface text-ink rounded-4 text-13 border-line-strong aria-invalid:border-fail w-full min-w-0 resize-y border px-2 py-1"
      />
      <p id={`${id}-hint`} className="text-12 text-ink-3 empty:hidden">
        {hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
