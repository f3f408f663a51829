'use client';

import { useMutation } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { Members } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';

interface InvitationTableProps {
  project: string;
  invitations: Members['invitations'];
  mayWrite: boolean;
  onChanged: () => void;
}

export function InvitationTable({
  project,
  invitations,
  mayWrite,
  onChanged,
}: InvitationTableProps) {
  const revoke = useMutation(
    useTRPC().members.revokeInvitation.mutationOptions({
      onSuccess: () => {
        announce('Invitation revoked');
        onChanged();
      },
    }),
  );
  return (
    <Panel title="Open invitations">
      <FieldError text={revoke.error ? problemOf(revoke.error).message : null} />
      <DataTable
        label="Open invitations"
        heads={mayWrite ? ['Email', 'Role', 'Expires', ''] : ['Email', 'Role', 'Expires']}
      >
        {invitations.map((invitation) => (
          <Row key={invitation.id}>
            <NameCell>{invitation.email}</NameCell>
            <Cell>{invitation.role}</Cell>
            <Cell>
              <Moment at={invitation.expiresAt} />
            </Cell>
            {mayWrite ? (
              <Cell end>
                <Button
                  aria-label={`Revoke the invitation of ${invitation.email}`}
                  busy={revoke.isPending}
                  onClick={() => revoke.mutate({ project, id: invitation.id })}
                >
                  Revoke
                </Button>
              </Cell>
            ) : null}
          </Row>
        ))}
      </DataTable>
    </Panel>
  );
}
