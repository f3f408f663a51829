'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Destination } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';
import type { DestinationSends } from '@/server/deliveries/input';
import { SendsBoxes } from './sends-boxes';

interface SendsDialogProps {
  project: string;
  destination: Destination;
  onSaved: () => void;
  onClose: () => void;
}

/** Changes what is sent to a destination; its address and its secret do not change. */
export function SendsDialog({ project, destination, onSaved, onClose }: SendsDialogProps) {
  const { id, kind, name, url, outcomes, sends: before } = destination;
  const [sends, setSends] = useState<readonly DestinationSends[]>(before);
  const save = useMutation(
    useTRPC().destinations.update.mutationOptions({
      onSuccess: () => {
        announce(`What ${name} is sent was changed`);
        onSaved();
        onClose();
      },
    }),
  );
  const takesVerdicts = sends.includes('verdicts');
  return (
    <Dialog title={`What ${name} is sent`} onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (sends.length > 0)
            save.mutate({
              project,
              id,
              name,
              url,
              sends: [...sends],
              outcomes: takesVerdicts ? [...outcomes] : [],
            });
        }}
      >
        <SendsBoxes
          kind={kind}
          chosen={sends}
          error={sends.length === 0 ? 'choose one at least' : undefined}
          onChange={setSends}
        />
        <FieldError text={save.error ? problemOf(save.error).message : null} />
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}
