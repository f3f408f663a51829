'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { announce } from '@/app/_ui/announcer';
import { Field, SelectField } from '@/app/_ui/field';
import { CreateServiceAccount, ServiceRole, serviceScopesOf } from '@/server/access/input';

interface ServiceAccountDialogProps {
  project: string;
  onDone: () => void;
  onClose: () => void;
}

export function ServiceAccountDialog({ project, onDone, onClose }: ServiceAccountDialogProps) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<ServiceRole>('viewer');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const create = useMutation(
    useTRPC().members.createServiceAccount.mutationOptions({
      onSuccess: () => {
        announce('Service account created');
        onDone();
      },
    }),
  );
  const submit = () => {
    const input = { name, role };
    const checked = CreateServiceAccount.safeParse(input);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, input));
    if (checked.success) create.mutate({ project, ...input });
  };
  return (
    <FormDialog
      title="Create service account"
      onClose={onClose}
      action="Create service account"
      busy={create.isPending}
      problem={create.error ? problemOf(create.error).message : null}
      onSubmit={submit}
    >
      <Field
        label="Name"
        hint="The system that uses its keys."
        autoComplete="off"
        value={name}
        error={errors.name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Role"
        hint={`Scopes that its keys may have: ${serviceScopesOf[role].join(', ')}.`}
        value={role}
        options={ServiceRole.options.map((each) => [each, each])}
        onChange={(value) => setRole(ServiceRole.parse(value))}
      />
    </FormDialog>
  );
}
