'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Members } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Age } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { ServiceAccountDialog } from './service-account-dialog';

type Account = Members['serviceAccounts'][number];

interface ServiceAccountPanelProps {
  project: string;
  accounts: Members['serviceAccounts'];
  mayWrite: boolean;
  onChanged: () => void;
}

/** Members that are not people: they own keys, and cannot sign in. */
export function ServiceAccountPanel({
  project,
  accounts,
  mayWrite,
  onChanged,
}: ServiceAccountPanelProps) {
  const [creating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<Account | null>(null);
  const remove = useMutation(
    useTRPC().members.removeServiceAccount.mutationOptions({
      onSuccess: () => {
        announce('Service account removed');
        setRemoving(null);
        onChanged();
      },
    }),
  );
  const heads = ['Name', 'Role', 'Keys', 'Created'];
  return (
    <>
      <Panel
        title="Service accounts"
        id="service-accounts"
        aside={
          mayWrite ? (
            <Button onClick={() => setCreating(true)}>Create service account</Button>
          ) : null
        }
      >
        {accounts.length === 0 ? (
          <Empty title="No service account yet.">
            <p>
              A service account owns API keys that outlast people: agents, pipelines, exporters. It
              cannot sign in.
            </p>
          </Empty>
        ) : (
          <DataTable label="Service accounts" heads={mayWrite ? [...heads, ''] : heads}>
            {accounts.map((account) => (
              <Row key={account.id}>
                <NameCell>{account.name}</NameCell>
                <Cell>{account.role}</Cell>
                <Cell>{account.keyCount}</Cell>
                <Cell>
                  <Age at={account.since} /> ago by {account.createdBy}
                </Cell>
                {mayWrite ? (
                  <Cell end>
                    <Button
                      aria-label={`Remove ${account.name}`}
                      onClick={() => setRemoving(account)}
                    >
                      Remove
                    </Button>
                  </Cell>
                ) : null}
              </Row>
            ))}
          </DataTable>
        )}
      </Panel>
      {creating ? (
        <ServiceAccountDialog
          project={project}
          onDone={() => {
            setCreating(false);
            onChanged();
          }}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {removing ? (
        <Confirm
          title={`Remove ${removing.name}`}
          action="Remove service account"
          busy={remove.isPending}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, id: removing.id })}
          onClose={() => {
            remove.reset();
            setRemoving(null);
          }}
        >
          <p>
            Its keys are revoked: clients that use them are refused within a second. The audit log
            stays.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
