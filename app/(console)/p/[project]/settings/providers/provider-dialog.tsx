'use client';

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Provider } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, FieldError } from '@/app/_ui/field';
import { inputClass } from '@/app/_ui/input-styles';
import { ProviderKind } from '@/server/llm/input';
import { draftOf, kindText, newDraft, ownAddress, readDraft, withKind } from './provider-draft';

interface ProviderDialogProps {
  project: string;
  /** Null for a new provider. */
  provider: Provider | null;
  onSaved: () => void;
  onClose: () => void;
}

export function ProviderDialog({ project, provider, onSaved, onClose }: ProviderDialogProps) {
  const projectProvider = provider?.source === 'project' ? provider : null;
  const [draft, setDraft] = useState(provider === null ? newDraft : draftOf(provider));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const put = useMutation(
    useTRPC().providers.put.mutationOptions({
      onSuccess: ({ name }) => {
        announce(`Provider ${name} saved`);
        onSaved();
        onClose();
      },
    }),
  );
  const set =
    (field: 'name' | 'baseUrl' | 'apiKey' | 'models' | 'prices') =>
    (event: { target: { value: string } }) =>
      setDraft({ ...draft, [field]: event.target.value });
  const submit = () => {
    const read = readDraft(draft, projectProvider);
    setErrors(read.ok ? {} : read.errors);
    if (read.ok) put.mutate({ project, name: read.name, ...read.input });
  };
  const keyHint =
    projectProvider?.key != null
      ? `Stored: ${projectProvider.key}. Leave it empty to keep it, unless the address has another origin.`
      : 'Stored encrypted, for this address only; not shown again.';
  const problem = put.error ? problemOf(put.error) : null;
  const wrong = { ...problem?.fields, ...errors };
  const priceError = Object.keys(wrong).some((field) => field.startsWith('prices'))
    ? 'A line needs a model and two numbers from 0 up: llama3:8b 0.2 0.6'
    : undefined;
  const address = ownAddress[draft.kind];
  return (
    <FormDialog
      title={provider === null ? 'Add provider' : `Change ${provider.name}`}
      onClose={onClose}
      action="Save provider"
      busy={put.isPending}
      problem={
        problem !== null && Object.keys(problem.fields).length === 0 ? problem.message : null
      }
      onSubmit={submit}
    >
      <KindChoice
        kind={draft.kind}
        onChange={(kind) =>
          setDraft(provider === null ? withKind(draft, kind) : { ...draft, kind })
        }
      />
      {provider === null ? (
        <Field
          label="Name"
          mono
          hint="Prefix of model names: name:model."
          value={draft.name}
          error={wrong.name}
          onChange={set('name')}
        />
      ) : null}
      <Field
        label="Address"
        mono
        placeholder={address ?? 'https://llm.example.org/v1'}
        hint={
          address === null
            ? 'Private addresses need the operator’s ASSAY_OUTBOUND_ALLOW.'
            : 'Empty: the default address of the provider.'
        }
        value={draft.baseUrl}
        error={wrong.base_url}
        onChange={set('baseUrl')}
      />
      <Field
        label="API key"
        mono
        type="password"
        autoComplete="new-password"
        hint={keyHint}
        value={draft.apiKey}
        error={wrong.api_key}
        onChange={set('apiKey')}
      />
      <Lines
        label="Models"
        hint="One per line. Judges are chosen from these; the first is the provider’s default."
        text={draft.models}
        error={wrong.models}
        onChange={set('models')}
      />
      <Lines
        label="Prices"
        hint="Your prices, if they differ from the list: one model per line, then US dollars per million input and output tokens, such as llama3:8b 0.2 0.6. Without a price, costs are shown as “at least”, and no budget limits the model."
        text={draft.prices}
        error={priceError}
        onChange={set('prices')}
      />
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          className="accent-accent size-4"
          checked={draft.enabled}
          onChange={(event) => setDraft({ ...draft, enabled: event.target.checked })}
        />
        Enabled for judges
      </label>
    </FormDialog>
  );
}

function KindChoice({
  kind,
  onChange,
}: {
  kind: ProviderKind;
  onChange: (kind: ProviderKind) => void;
}) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-semibold">Kind</legend>
      {ProviderKind.options.map((each) => (
        <label key={each} className="flex items-center gap-2">
          <input
            type="radio"
            name="kind"
            className="accent-accent size-4"
            checked={kind === each}
            onChange={() => onChange(each)}
          />
          {kindText[each]}
        </label>
      ))}
    </fieldset>
  );
}

function Lines({
  label,
  hint,
  text,
  error,
  onChange,
}: {
  label: string;
  hint: string;
  text: string;
  error: string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        value={text}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint ${id}-error`}
        onChange={onChange}
        className={`${inputClass} h-auto py-1.5 font-mono`}
      />
      <p id={`${id}-hint`} className="text-12 text-ink-3">
        {hint}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
