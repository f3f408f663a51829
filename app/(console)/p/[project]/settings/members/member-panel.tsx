'use client';

import { Select } from '@/app/_ui/select';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCreate } from '@/app/(console)/use-create';
import { useTRPC } from '@/app/_trpc/client';
import type { Members } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { Role } from '@/server/access/input';
import { InvitationTable } from './invitation-table';
import { InviteDialog } from './invite-dialog';
import { LeaveDialog } from './leave-dialog';
import { PasswordLinkDialog } from './password-link-dialog';
import { ServiceAccountPanel } from './service-account-panel';

type Member = Members['members'][number];

interface MemberPanelProps {
  project: string;
  initial: Members;
  myId: string;
  mayWrite: boolean;
  mayMakeOwners: boolean;
}

export function MemberPanel({ project, initial, myId, mayWrite, mayMakeOwners }: MemberPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.members.list.queryOptions({ project }, { initialData: initial });
  const { data } = useQuery(options);
  const [inviting, setInviting] = useCreate(mayWrite);
  const [leaving, setLeaving] = useState<{
    readonly member: Member;
    readonly role: Role | null;
  } | null>(null);
  const [resetting, setResetting] = useState<Member | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const changeRole = useMutation(
    trpc.members.changeRole.mutationOptions({
      onSuccess: () => announce('Role changed'),
      onSettled: refresh,
    }),
  );
  const setRole = (member: Member, role: Role) => {
    const losesKeys = member.keyCount > 0 && role !== 'owner' && role !== 'admin';
    if (losesKeys) setLeaving({ member, role });
    else changeRole.mutate({ project, userId: member.userId, role });
  };
  const roles = mayMakeOwners ? Role.options : Role.options.filter((role) => role !== 'owner');
  return (
    <>
      <PageHead title="Members" sub="Who can see this project, and what they may do.">
        {mayWrite ? (
          <Button variant="primary" onClick={() => setInviting(true)}>
            Invite member
          </Button>
        ) : null}
      </PageHead>
      <FieldError text={changeRole.error ? problemOf(changeRole.error).message : null} />
      <Panel title="Members" id="members">
        <DataTable
          label="Members"
          heads={
            mayWrite ? ['Name', 'Email', 'Role', 'Since', ''] : ['Name', 'Email', 'Role', 'Since']
          }
        >
          {data.members.map((member) => {
            const mayChange =
              mayWrite && member.userId !== myId && (mayMakeOwners || member.role !== 'owner');
            return (
              <Row key={member.userId}>
                <NameCell>
                  {member.name}
                  {member.userId === myId ? <span className="text-ink-3"> (you)</span> : null}
                </NameCell>
                <Cell>{member.email}</Cell>
                <Cell>
                  {mayChange ? (
                    <span className="block w-28">
                      <Select
                        label={`Role of ${member.name}`}
                        value={member.role}
                        options={roles.map((role) => [role, role] as const)}
                        onChange={(role) => setRole(member, role)}
                      />
                    </span>
                  ) : (
                    member.role
                  )}
                </Cell>
                <Cell>
                  <Age at={member.since} />
                </Cell>
                {mayWrite ? (
                  <Cell end>
                    {mayChange ? (
                      <span className="flex justify-end gap-2">
                        {mayMakeOwners ? (
                          <Button
                            aria-label={`Reset password of ${member.name}`}
                            onClick={() => setResetting(member)}
                          >
                            Reset password
                          </Button>
                        ) : null}
                        <Button
                          aria-label={`Remove ${member.name}`}
                          onClick={() => setLeaving({ member, role: null })}
                        >
                          Remove
                        </Button>
                      </span>
                    ) : null}
                  </Cell>
                ) : null}
              </Row>
            );
          })}
        </DataTable>
      </Panel>
      <ServiceAccountPanel
        project={project}
        accounts={data.serviceAccounts}
        mayWrite={mayWrite}
        onChanged={refresh}
      />
      {data.invitations.length > 0 ? (
        <InvitationTable
          project={project}
          invitations={data.invitations}
          mayWrite={mayWrite}
          onChanged={refresh}
        />
      ) : null}
      {inviting ? (
        <InviteDialog
          project={project}
          roles={roles}
          onInvited={refresh}
          onClose={() => setInviting(false)}
        />
      ) : null}
      {leaving ? (
        <LeaveDialog
          project={project}
          {...leaving}
          members={data.members}
          myId={myId}
          onDone={() => {
            setLeaving(null);
            refresh();
          }}
          onClose={() => setLeaving(null)}
        />
      ) : null}
      {resetting ? (
        <PasswordLinkDialog
          project={project}
          member={resetting}
          onClose={() => setResetting(null)}
        />
      ) : null}
    </>
  );
}
