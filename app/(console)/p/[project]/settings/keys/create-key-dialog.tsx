'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, FieldError, SelectField } from '@/app/_ui/field';
import { CreateKey, KeyScope } from '@/server/access/input';
import { storeNewKey } from './new-key';
import { NewKey } from './new-key-dialog';

const scopeText: Record<KeyScope, string> = {
  ingest: 'send turns and traces',
  verify: 'request verdicts (verify calls)',
  read: 'read verdicts, measures and experiments',
  write: 'change settings, override verdicts, run experiments',
  gateway: 'call models through the gateway',
  impersonate: 'record labels on behalf of another rater',
  promote: 'force a promotion the gate refuses',
  held_out: 'read held-out items of datasets',
};

interface CreateKeyDialogProps {
  project: string;
  /** Scopes chosen in addition to the default ones. */
  also?: readonly KeyScope[];
  onCreated: () => void;
  onClose: () => void;
}

const defaultScopes: readonly KeyScope[] = ['ingest', 'verify', 'read'];

export function CreateKeyDialog({ project, also = [], onCreated, onClose }: CreateKeyDialogProps) {
  const [name, setName] = useState('');
  const [days, setDays] = useState('');
  const [scopes, setScopes] = useState<readonly KeyScope[]>([
    ...new Set([...defaultScopes, ...also]),
  ]);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const trpc = useTRPC();
  const [holder, setHolder] = useState('');
  const members = useQuery(trpc.members.list.queryOptions({ project }));
  const accounts = members.data?.serviceAccounts ?? [];
  const create = useMutation(
    trpc.keys.create.mutationOptions({
      onSuccess: ({ key }, input) => {
        storeNewKey(project, key, input.scopes);
        announce('Key created');
        onCreated();
      },
    }),
  );
  if (create.data) return <NewKey value={create.data.key} onClose={onClose} />;
  const submit = () => {
    const input = {
      name,
      scopes: [...scopes],
      expiresInDays: days.trim() === '' ? null : Number(days),
      serviceAccountId: holder === '' ? null : holder,
    };
    const checked = CreateKey.safeParse(input);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, input));
    if (checked.success) create.mutate({ project, ...input });
  };
  return (
    <FormDialog
      title="Create key"
      onClose={onClose}
      action="Create key"
      busy={create.isPending}
      problem={create.error ? problemOf(create.error).message : null}
      onSubmit={submit}
    >
      <Field
        label="Name"
        hint="The program that uses this key, such as an agent or a pipeline."
        autoComplete="off"
        value={name}
        error={errors.name}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="Expires after (days)"
        hint="1 to 3650. Leave it empty for a key that does not expire."
        inputMode="numeric"
        autoComplete="off"
        value={days}
        error={errors.expiresInDays}
        onChange={(event) => setDays(event.target.value)}
      />
      {accounts.length > 0 ? (
        <SelectField
          label="Owner"
          hint="Keys of a service account stay when you leave the project."
          value={holder}
          error={errors.serviceAccountId}
          options={[['', 'You'], ...accounts.map(({ id, name: of }) => [id, of] as const)]}
          onChange={setHolder}
        />
      ) : null}
      <ScopeBoxes scopes={scopes} error={errors.scopes} onChange={setScopes} />
    </FormDialog>
  );
}

interface ScopeBoxesProps {
  scopes: readonly KeyScope[];
  error: string | undefined;
  onChange: (scopes: readonly KeyScope[]) => void;
}

function ScopeBoxes({ scopes, error, onChange }: ScopeBoxesProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-semibold">Scopes</legend>
      {KeyScope.options.map((scope) => (
        <label key={scope} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent size-4 shrink-0"
            checked={scopes.includes(scope)}
            onChange={(event) =>
              onChange(
                event.target.checked ? [...scopes, scope] : scopes.filter((each) => each !== scope),
              )
            }
          />
          <code className="text-12 w-24 shrink-0 font-mono">{scope}</code>
          <span className="text-ink-2">{scopeText[scope]}</span>
        </label>
      ))}
      <FieldError text={error} />
    </fieldset>
  );
}
