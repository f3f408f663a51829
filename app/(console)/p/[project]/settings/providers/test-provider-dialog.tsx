'use client';

import { SuggestField } from '@/app/_ui/suggest-field';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Provider, ProviderTrial } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';
import { VisibleText } from '@/app/_ui/visible-text';

/** Sends a test prompt to one of a provider's models, and shows the result. */
export function TestProviderDialog({
  project,
  provider,
  onClose,
}: {
  project: string;
  provider: Provider;
  onClose: () => void;
}) {
  const [model, setModel] = useState(provider.models[0] ?? '');
  const test = useMutation(
    useTRPC().providers.test.mutationOptions({
      onSuccess: ({ state }) =>
        announce(
          state === 'answered' ? `${provider.name} answered` : `${provider.name} did not answer`,
        ),
    }),
  );
  return (
    <Dialog title={`Test ${provider.name}`} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          test.mutate({ project, name: provider.name, model: model.trim() });
        }}
      >
        <p className="text-ink-2">
          This sends one short prompt at the provider’s price, and records it like any other call.
        </p>
        <SuggestField
          label="Model"
          mono
          suggestions={provider.models}
          value={model}
          onChange={setModel}
        />
        {test.data ? <Trial trial={test.data} /> : null}
        <FieldError text={test.error ? problemOf(test.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Close</Button>
          <Button
            type="submit"
            variant="primary"
            busy={test.isPending}
            disabled={model.trim() === ''}
          >
            {test.isPending ? 'Asking …' : 'Send test prompt'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Trial({ trial }: { trial: ProviderTrial }) {
  const cost =
    trial.costUsd === null
      ? 'price not known'
      : `$${Number(trial.costUsd.toFixed(6))} by prices of ${trial.priceList}`;
  if (trial.state === 'failed') {
    return (
      <div role="alert" className="border-loud-line bg-loud rounded-4 border px-3 py-2">
        <p className="font-semibold">
          No answer: {(trial.errorClass ?? 'failed').replaceAll('_', ' ')}
        </p>
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={trial.text} />
        </p>
        <p className="text-12 text-ink-2">after {Math.round(trial.latencyMs)} ms</p>
      </div>
    );
  }
  return (
    <div className="border-line bg-sunken rounded-4 border px-3 py-2">
      <p className="font-semibold">Answered</p>
      <p className="[overflow-wrap:anywhere]">
        {trial.text === '' ? (
          <span className="text-ink-2">with nothing</span>
        ) : (
          <VisibleText text={trial.text} />
        )}
      </p>
      <p className="text-12 text-ink-2">
        {Math.round(trial.latencyMs)} ms, {trial.tokens} tokens, {cost}
      </p>
    </div>
  );
}
