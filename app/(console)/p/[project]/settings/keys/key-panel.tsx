'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCreate } from '@/app/(console)/use-create';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKey } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { DataTable } from '@/app/_ui/data-table';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { CreateKeyDialog } from './create-key-dialog';
import { KeyRow } from './key-row';
import { RotateKeyDialog } from './rotate-key-dialog';

interface KeyPanelProps {
  project: string;
  initial: ApiKey[];
  mayWrite: boolean;
}

export function KeyPanel({ project, initial, mayWrite }: KeyPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.keys.list.queryOptions({ project }, { initialData: initial });
  const { data: keys } = useQuery(options);
  const [creating, setCreating] = useCreate(mayWrite);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({
      onSuccess: () => {
        announce('Key revoked');
        setRevoking(null);
        refresh();
      },
    }),
  );
  return (
    <>
      <PageHead title="Keys" sub="Agents, pipelines and exporters sign in with these.">
        {mayWrite ? (
          <Button variant="primary" onClick={() => setCreating(true)}>
            Create key
          </Button>
        ) : null}
      </PageHead>
      <Panel title="API keys">
        {keys.length === 0 ? (
          <Empty title="No key yet.">
            <p>Without a key nothing can be sent to this project.</p>
          </Empty>
        ) : (
          <DataTable
            label="API keys"
            heads={['Name', 'Key', 'Scopes', 'Created', 'Last used', 'State', '']}
          >
            {keys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                mayWrite={mayWrite}
                onRotate={() => setRotating(key)}
                onRevoke={() => setRevoking(key)}
              />
            ))}
          </DataTable>
        )}
      </Panel>
      {creating ? (
        <CreateKeyDialog project={project} onCreated={refresh} onClose={() => setCreating(false)} />
      ) : null}
      {rotating ? (
        <RotateKeyDialog
          project={project}
          apiKey={rotating}
          onRotated={refresh}
          onClose={() => setRotating(null)}
        />
      ) : null}
      {revoking ? (
        <Confirm
          title={`Revoke ${revoking.name}`}
          action="Revoke key"
          busy={revoke.isPending}
          error={revoke.error ? problemOf(revoke.error).message : null}
          onConfirm={() => revoke.mutate({ project, id: revoking.id })}
          onClose={() => {
            revoke.reset();
            setRevoking(null);
          }}
        >
          <p>
            Requests with this key are rejected within a second. A revoked key cannot be restored.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
