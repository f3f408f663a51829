'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FormDialog } from '@/app/_ui/form-dialog';
import { Button } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { Dialog } from '@/app/_ui/dialog';
import { Field, SelectField } from '@/app/_ui/field';
import { InviteMember, type Role } from '@/server/access/input';

const roleText: Record<Role, string> = {
  owner: 'Everything, including adding other owners.',
  admin: 'Keys, members, settings, audit and replay.',
  reviewer: 'Reads verdicts and rules on them.',
  viewer: 'Reads verdicts.',
};

interface InviteDialogProps {
  project: string;
  roles: readonly Role[];
  onInvited: () => void;
  onClose: () => void;
}

export function InviteDialog({ project, roles, onInvited, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('reviewer');
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const invite = useMutation(useTRPC().members.invite.mutationOptions({ onSuccess: onInvited }));
  const submit = () => {
    const input = { email: email.trim(), role };
    const checked = InviteMember.safeParse(input);
    setErrors(checked.success ? {} : fieldErrors(checked.error.issues, input));
    if (checked.success) invite.mutate({ project, ...input });
  };
  if (invite.data) {
    return (
      <Dialog title="Send this link" keepOpen onClose={onClose}>
        <div className="grid gap-3">
          <p>It lets {email} create an account here, once. It is shown only now.</p>
          <CopyText label="Invitation link" text={invite.data.url} />
          <div className="flex justify-end">
            <Button variant="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite member"
      onClose={onClose}
      action="Create invitation"
      busy={invite.isPending}
      problem={invite.error ? problemOf(invite.error).message : null}
      onSubmit={submit}
    >
      <Field
        label="Email"
        type="email"
        autoComplete="off"
        value={email}
        error={errors.email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <SelectField
        label="Role"
        value={role}
        options={roles.map((each) => [each, each] as const)}
        onChange={setRole}
        hint={roleText[role]}
      />
    </FormDialog>
  );
}
