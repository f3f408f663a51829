'use client';

import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Members } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';

interface PasswordLinkDialogProps {
  project: string;
  member: Members['members'][number];
  onClose: () => void;
}

/** Creates a one-time link by which a member sets a new password, and shows it once. */
export function PasswordLinkDialog({ project, member, onClose }: PasswordLinkDialogProps) {
  const issue = useMutation(useTRPC().members.issuePasswordLink.mutationOptions());
  if (issue.data) {
    return (
      <Dialog title="Send this link" keepOpen onClose={onClose}>
        <div className="grid gap-3">
          <p>
            {member.email} can set a new password with it once, within 24 hours. It is shown only
            now.
          </p>
          <CopyText label="Password link" text={issue.data.url} />
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
    <Dialog title={`Reset password of ${member.name}`} onClose={onClose}>
      <div className="grid gap-3">
        <p className="text-ink-2">
          Create a one-time link. The current password works until the link is used; then every
          session of the account ends.
        </p>
        <FieldError text={issue.error ? problemOf(issue.error).message : null} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={issue.isPending}
            onClick={() => issue.mutate({ project, userId: member.userId })}
          >
            Create link
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
