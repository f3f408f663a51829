'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCreate } from '@/app/(console)/use-create';
import { useTRPC } from '@/app/_trpc/client';
import type { Destination } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { verdictStyles } from '@/app/_ui/verdict-styles';
import { VisibleText } from '@/app/_ui/visible-text';
import { sendsOf } from '@/server/deliveries/input';
import { CreateDestinationDialog } from './create-destination-dialog';
import { SendsDialog } from './sends-dialog';
import { sendsWords } from './sends-words';

const kindText: Record<Destination['kind'], string> = {
  webhook: 'Webhook',
  otlp: 'OTLP',
  slack: 'Chat',
  email: 'E-mail',
};

export function DestinationPanel({
  project,
  initial,
}: {
  project: string;
  initial: Destination[];
}) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.destinations.list.queryOptions({ project }, { initialData: initial });
  const { data: destinations } = useQuery(options);
  const [creating, setCreating] = useCreate();
  const [deleting, setDeleting] = useState<Destination | null>(null);
  const [edited, setEdited] = useState<Destination | null>(null);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const update = useMutation(
    trpc.destinations.update.mutationOptions({
      onSuccess: ({ destination }) => {
        announce(
          destination.enabled
            ? `${destination.name} switched on`
            : `${destination.name} switched off`,
        );
        refresh();
      },
    }),
  );
  const remove = useMutation(
    trpc.destinations.delete.mutationOptions({
      onSuccess: () => {
        announce('Destination deleted');
        setDeleting(null);
        refresh();
        void client.invalidateQueries({ queryKey: trpc.destinations.deliveries.queryKey() });
      },
    }),
  );
  const test = useMutation(
    trpc.destinations.test.mutationOptions({
      onSuccess: () => {
        announce('Test sent; its delivery is listed below');
        void client.invalidateQueries({ queryKey: trpc.destinations.deliveries.queryKey() });
      },
    }),
  );
  const toggle = ({ id, name, url, outcomes, enabled }: Destination) =>
    update.mutate({ project, id, name, url, outcomes: [...outcomes], enabled: !enabled });
  return (
    <>
      <PageHead
        title="Destinations"
        sub="Assay sends verdicts, alerts and reports to these destinations, and retries until they arrive."
      >
        <Button variant="primary" onClick={() => setCreating(true)}>
          Add destination
        </Button>
      </PageHead>
      <FieldError text={problemText(update.error ?? test.error)} />
      <Panel title="Destinations">
        {destinations.length === 0 ? (
          <Empty title="No destination yet.">
            <p>
              Verdicts, alerts and reports are in the console and the API only; no one is notified.
            </p>
          </Empty>
        ) : (
          <DataTable
            label="Destinations"
            heads={['Name', 'Kind', 'Address', 'Sent', 'Created', 'State', '']}
          >
            {destinations.map((each) => (
              <DestinationRow
                key={each.id}
                destination={each}
                isTesting={test.isPending && test.variables.id === each.id}
                isSwitching={update.isPending && update.variables.id === each.id}
                onTest={() => test.mutate({ project, id: each.id })}
                onEdit={() => setEdited(each)}
                onSwitch={() => toggle(each)}
                onDelete={() => setDeleting(each)}
              />
            ))}
          </DataTable>
        )}
      </Panel>
      {creating ? (
        <CreateDestinationDialog
          project={project}
          onCreated={refresh}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {edited === null ? null : (
        <SendsDialog
          project={project}
          destination={edited}
          onSaved={refresh}
          onClose={() => setEdited(null)}
        />
      )}
      {deleting ? (
        <Confirm
          title={`Delete ${deleting.name}`}
          action="Delete destination"
          busy={remove.isPending}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, id: deleting.id })}
          onClose={() => {
            remove.reset();
            setDeleting(null);
          }}
        >
          <p>
            Nothing more is sent there, and pending deliveries are dropped. Its secret cannot be
            restored.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}

interface DestinationRowProps {
  destination: Destination;
  isTesting: boolean;
  isSwitching: boolean;
  onTest: () => void;
  onEdit: () => void;
  onSwitch: () => void;
  onDelete: () => void;
}

function DestinationRow({
  destination,
  isTesting,
  isSwitching,
  onTest,
  onEdit,
  onSwitch,
  onDelete,
}: DestinationRowProps) {
  const { name, kind, url, createdAt, createdBy, enabled } = destination;
  return (
    <Row>
      <NameCell>
        <VisibleText text={name} />
      </NameCell>
      <Cell>{kindText[kind]}</Cell>
      <Cell mono>
        <span className="block max-w-80 truncate" title={url}>
          <VisibleText text={url} />
        </span>
      </Cell>
      <Cell>{sentText(destination)}</Cell>
      <Cell>
        <Age at={createdAt} /> ago by {createdBy}
      </Cell>
      <Cell>{enabled ? 'on' : 'off: deliveries wait'}</Cell>
      <Cell end>
        <span className="inline-flex gap-2">
          {enabled && kind !== 'otlp' ? (
            <Button aria-label={`Send a test to ${name}`} busy={isTesting} onClick={onTest}>
              Send a test
            </Button>
          ) : null}
          {sendsOf[kind].length > 1 ? (
            <Button aria-label={`Change the content for ${name}`} onClick={onEdit}>
              Change
            </Button>
          ) : null}
          <Button
            aria-label={`Switch ${name} ${enabled ? 'off' : 'on'}`}
            busy={isSwitching}
            onClick={onSwitch}
          >
            {enabled ? 'Switch off' : 'Switch on'}
          </Button>
          <Button aria-label={`Delete ${name}`} onClick={onDelete}>
            Delete
          </Button>
        </span>
      </Cell>
    </Row>
  );
}

const problemText = (error: unknown): string | null =>
  error === null ? null : problemOf(error).message;

/** `Verdicts (failed, steered), alerts`. */
function sentText({ sends, outcomes }: Destination): string {
  const only = outcomes.map((outcome) => verdictStyles[outcome].word).join(', ');
  const words = sends.map((each) =>
    each === 'verdicts' && only !== '' ? `${sendsWords[each]} (${only})` : sendsWords[each],
  );
  return words
    .map((word, n) => (n === 0 ? word : word.charAt(0).toLowerCase() + word.slice(1)))
    .join(', ');
}
