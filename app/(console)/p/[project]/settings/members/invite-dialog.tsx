'use client';

import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { fieldErrors } from '@/app/field-errors';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { Dialog } from '@/app/_ui/dialog';
import { Field, FieldError, inputClass } from '@/app/_ui/field';
import { InviteMember, Role } from '@/server/access/input';

const roleText: Record<Role, string> = {
  owner: 'Everything, and makes other owners.',
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
  const roleId = useId();
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
      <Dialog title="Send this link" keep onClose={onClose}>
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
    <Dialog title="Invite member" onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Field
          label="Email"
          type="email"
          autoComplete="off"
          value={email}
          error={errors.email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <div className="grid gap-1">
          <label htmlFor={roleId} className="font-semibold">
            Role
          </label>
          <select
            id={roleId}
            value={role}
            onChange={(event) => setRole(Role.parse(event.target.value))}
            className={inputClass}
          >
            {roles.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <p className="text-12 text-ink-3">{roleText[role]}</p>
        </div>
        <FieldError text={invite.error ? problemOf(invite.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={invite.isPending}>
            Create invitation
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
