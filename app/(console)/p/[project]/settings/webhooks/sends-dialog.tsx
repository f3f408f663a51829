'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Destination } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import type { DestinationSends } from '@/server/deliveries/input';
import type { Outcome } from '@/server/domain';
import { OutcomeBoxes } from './outcome-boxes';
import { SendsBoxes } from './sends-boxes';
import { RequestUrl, SigningSecretField } from './slack-buttons';

interface SendsDialogProps {
  project: string;
  destination: Destination;
  onSaved: () => void;
  onClose: () => void;
}

/** Changes the content sent to a destination, and the buttons of a chat; its address stays. */
export function SendsDialog({ project, destination, onSaved, onClose }: SendsDialogProps) {
  const { id, kind, name, url, sends: before, actionsUrl } = destination;
  const [sends, setSends] = useState<readonly DestinationSends[]>(before);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>(destination.outcomes);
  const [signingSecret, setSigningSecret] = useState('');
  const save = useMutation(
    useTRPC().destinations.update.mutationOptions({
      onSuccess: () => {
        announce(`The content for ${name} was changed`);
        onSaved();
        onClose();
      },
    }),
  );
  const problem = save.error ? problemOf(save.error) : null;
  const takesVerdicts = sends.includes('verdicts');
  return (
    <FormDialog
      title={`Content for ${name}`}
      onClose={onClose}
      action="Save"
      busy={save.isPending}
      problem={Object.keys(problem?.fields ?? {}).length === 0 ? problem?.message : null}
      onSubmit={() => {
        if (sends.length > 0)
          save.mutate({
            project,
            id,
            name,
            url,
            sends: [...sends],
            outcomes: takesVerdicts ? [...outcomes] : [],
            ...(signingSecret !== '' && { signing_secret: signingSecret }),
          });
      }}
    >
      <SendsBoxes
        kind={kind}
        chosen={sends}
        error={sends.length === 0 ? 'choose at least one' : undefined}
        onChange={setSends}
      />
      {takesVerdicts ? (
        <OutcomeBoxes
          kind={kind}
          chosen={outcomes}
          error={problem?.fields.outcomes}
          onChange={setOutcomes}
        />
      ) : null}
      {kind === 'slack' ? (
        <SigningSecretField
          hint={
            actionsUrl === null
              ? 'Optional: with the secret of your Slack app, messages have buttons.'
              : 'Empty keeps the stored one. Another one unlinks all Slack users.'
          }
          value={signingSecret}
          error={problem?.fields.signing_secret}
          onChange={setSigningSecret}
        />
      ) : null}
      {actionsUrl === null ? null : <RequestUrl url={actionsUrl} />}
    </FormDialog>
  );
}
