'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKey } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { RotateKey } from '@/server/access/input';
import { storeNewKey } from './new-key';
import { NewKey } from './new-key-dialog';

interface RotateKeyDialogProps {
  project: string;
  apiKey: ApiKey;
  onRotated: () => void;
  onClose: () => void;
}

/** Replaces a key by a successor, and shows the successor once. */
export function RotateKeyDialog({ project, apiKey, onRotated, onClose }: RotateKeyDialogProps) {
  const [hours, setHours] = useState('24');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const rotate = useMutation(
    useTRPC().keys.rotate.mutationOptions({
      onSuccess: ({ key, scopes }) => {
        storeNewKey(project, key, scopes);
        announce('Key rotated');
        onRotated();
      },
    }),
  );
  if (rotate.data)
    return (
      <NewKey value={rotate.data.key} onClose={onClose}>
        <p>
          The old key stops working at <Moment at={rotate.data.oldWorksUntil} />.
        </p>
      </NewKey>
    );
  const submit = () => {
    const input = { id: apiKey.id, graceHours: hours.trim() === '' ? Number.NaN : Number(hours) };
    const checked = RotateKey.safeParse(input);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, input));
    if (checked.success) rotate.mutate({ project, ...checked.data });
  };
  return (
    <FormDialog
      title={`Rotate ${apiKey.name}`}
      onClose={onClose}
      action="Rotate key"
      busy={rotate.isPending}
      problem={rotate.error ? problemOf(rotate.error).message : null}
      onSubmit={submit}
    >
      <p className="text-ink-2">
        This creates a key with the same name, scopes and lifetime. Switch your clients to it before
        the old key stops working.
      </p>
      <Field
        label="Old key works for (hours)"
        hint="0 to 720; 0 ends it at once."
        inputMode="numeric"
        autoComplete="off"
        value={hours}
        error={errors.graceHours}
        onChange={(event) => setHours(event.target.value)}
      />
    </FormDialog>
  );
}
