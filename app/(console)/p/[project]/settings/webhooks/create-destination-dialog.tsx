'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { Dialog } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/field';
import {
  CreateDestination,
  DestinationKind,
  type DestinationSends,
  sendsOf,
} from '@/server/deliveries/input';
import type { Outcome } from '@/server/domain';
import { OutcomeBoxes } from './outcome-boxes';
import { SendsBoxes } from './sends-boxes';
import { RequestUrl, SigningSecretField } from './slack-buttons';

const kindText: Record<DestinationKind, string> = {
  webhook: 'a signed call with all data (Standard Webhooks)',
  otlp: 'a span for each verdict, to an OpenTelemetry collector',
  slack: 'a message to an incoming webhook of Slack or a compatible chat',
  email: 'an email to up to 20 addresses',
};

const addressText: Record<DestinationKind, { readonly label: string; readonly hint: string }> = {
  webhook: { label: 'Address', hint: 'A public https:// address.' },
  otlp: { label: 'Address', hint: 'The collector; /v1/traces is added.' },
  slack: {
    label: 'Address',
    hint: 'The whole URL: it is the secret, stored encrypted and not shown again.',
  },
  email: { label: 'E-mail addresses', hint: 'Separated by commas.' },
};

const noFields = { name: '', url: '', headerName: '', headerValue: '', signingSecret: '' };

interface CreateDestinationDialogProps {
  project: string;
  onCreated: () => void;
  onClose: () => void;
}

export function CreateDestinationDialog({
  project,
  onCreated,
  onClose,
}: CreateDestinationDialogProps) {
  const [kind, setKind] = useState<DestinationKind>('webhook');
  const [fields, setFields] = useState(noFields);
  const [sends, setSends] = useState<readonly DestinationSends[]>([sendsOf.webhook[0]]);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const takesVerdicts = sends.includes('verdicts');
  const takesHeaders = kind === 'webhook' || kind === 'otlp';
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const create = useMutation(
    useTRPC().destinations.create.mutationOptions({
      onSuccess: ({ secret, destination }) => {
        announce('Destination added');
        onCreated();
        if (secret === null && destination.actionsUrl === null) onClose();
      },
    }),
  );
  if (create.data?.secret) return <NewSecret value={create.data.secret} onClose={onClose} />;
  if (create.data?.destination.actionsUrl)
    return <NewButtons url={create.data.destination.actionsUrl} onClose={onClose} />;
  const refused = create.error ? problemOf(create.error) : null;
  const set = (field: keyof typeof fields) => (event: { target: { value: string } }) =>
    setFields({ ...fields, [field]: event.target.value });
  const submit = () => {
    const { name, url, headerName, headerValue, signingSecret } = fields;
    const headers =
      headerName === '' || !takesHeaders ? [] : [{ name: headerName, value: headerValue }];
    const input = {
      kind,
      name,
      url,
      sends: [...sends],
      outcomes: takesVerdicts ? [...outcomes] : [],
      headers,
      ...(kind === 'slack' && signingSecret !== '' && { signing_secret: signingSecret }),
    };
    const checked = CreateDestination.safeParse(input);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, input));
    if (checked.success) create.mutate({ project, ...input });
  };
  return (
    <FormDialog
      title="Add destination"
      onClose={onClose}
      action="Add destination"
      busy={create.isPending}
      problem={errors.headers ?? (refused?.fields.url === undefined ? refused?.message : null)}
      onSubmit={submit}
    >
      <KindChoice
        chosen={kind}
        onChange={(next) => {
          setKind(next);
          setSends([sendsOf[next][0]]);
        }}
      />
      <Field
        label="Name"
        autoComplete="off"
        value={fields.name}
        error={errors.name}
        onChange={set('name')}
      />
      <Field
        {...addressText[kind]}
        mono
        autoComplete="off"
        value={fields.url}
        error={errors.url ?? refused?.fields.url}
        onChange={set('url')}
      />
      <SendsBoxes kind={kind} chosen={sends} error={errors.sends} onChange={setSends} />
      {takesVerdicts ? (
        <OutcomeBoxes
          kind={kind}
          chosen={outcomes}
          error={refused?.fields.outcomes}
          onChange={setOutcomes}
        />
      ) : null}
      {kind === 'slack' ? (
        <SigningSecretField
          hint="Optional: with the secret of your Slack app, messages have buttons."
          value={fields.signingSecret}
          error={errors.signing_secret}
          onChange={(signingSecret) => setFields({ ...fields, signingSecret })}
        />
      ) : null}
      {takesHeaders ? (
        <div className="grid gap-2 sm:grid-cols-2">
          <Field
            label="Header name"
            hint="If it requires one."
            autoComplete="off"
            value={fields.headerName}
            onChange={set('headerName')}
          />
          <Field
            label="Header value"
            hint="Stored encrypted, not shown again."
            autoComplete="off"
            value={fields.headerValue}
            onChange={set('headerValue')}
          />
        </div>
      ) : null}
    </FormDialog>
  );
}

function KindChoice({
  chosen,
  onChange,
}: {
  chosen: DestinationKind;
  onChange: (kind: DestinationKind) => void;
}) {
  return (
    <fieldset className="grid gap-1">
      <legend className="pb-1 font-semibold">Kind</legend>
      {DestinationKind.options.map((each) => (
        <label key={each} className="flex items-center gap-2">
          <input
            type="radio"
            name="kind"
            className="accent-accent size-4 shrink-0"
            checked={chosen === each}
            onChange={() => onChange(each)}
          />
          <code className="text-12 w-16 shrink-0 font-mono">{each}</code>
          <span className="text-ink-2">{kindText[each]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function NewSecret({ value, onClose }: { value: string; onClose: () => void }) {
  return (
    <Dialog title="Copy the signing secret" keepOpen onClose={onClose}>
      <div className="grid gap-3">
        <p>The receiver checks signatures with it. It is only shown now.</p>
        <CopyText label="Signing secret" text={value} />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function NewButtons({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <Dialog title="Turn on the buttons in Slack" onClose={onClose}>
      <div className="grid gap-3">
        <RequestUrl url={url} />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
