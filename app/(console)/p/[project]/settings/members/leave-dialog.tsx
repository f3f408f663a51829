'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Members } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Confirm } from '@/app/_ui/confirm';
import type { Role } from '@/server/access/input';
import { KeyChoice, type KeyChoiceValue } from './key-choice';

type Member = Members['members'][number];

interface LeaveDialogProps {
  project: string;
  member: Member;
  members: readonly Member[];
  myId: string;
  /** The member's new role, which cannot manage keys; null removes the member. */
  role: Role | null;
  onDone: () => void;
  onClose: () => void;
}

/** Removes a member, or the right to manage keys; asks what happens to the keys first. */
export function LeaveDialog({
  project,
  member,
  members,
  myId,
  role,
  onDone,
  onClose,
}: LeaveDialogProps) {
  const trpc = useTRPC();
  const [choice, setChoice] = useState<KeyChoiceValue>({ keys: 'revoke' });
  const remove = useMutation(
    trpc.members.remove.mutationOptions({ onSuccess: () => finish('Member removed') }),
  );
  const lower = useMutation(
    trpc.members.changeRole.mutationOptions({ onSuccess: () => finish('Role changed') }),
  );
  const { isPending, error } = role === null ? remove : lower;
  function finish(text: string): void {
    announce(text);
    onDone();
  }
  const confirm = () => {
    if (role === null) remove.mutate({ project, userId: member.userId, ...choice });
    else lower.mutate({ project, userId: member.userId, role, ...choice });
  };
  return (
    <Confirm
      title={role === null ? `Remove ${member.name}` : `Make ${member.name} ${role}`}
      action={role === null ? 'Remove member' : 'Change role'}
      busy={isPending}
      error={error ? problemOf(error).message : null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>
          {role === null
            ? 'They lose access to this project at once. Their open invitations and private saved views are removed; the audit log stays.'
            : `The role ${role} cannot manage API keys.`}
        </p>
        {member.keyCount > 0 ? (
          <KeyChoice
            member={member}
            members={members}
            myId={myId}
            value={choice}
            onChange={setChoice}
          />
        ) : null}
      </div>
    </Confirm>
  );
}
