'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Deletion } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Field, FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

const kinds: Record<Deletion['kind'], string> = {
  user: 'End user',
  session: 'Session',
  trace: 'Trace',
  turn: 'Turn',
  project: 'Project',
};

/** Erases an end user, and lists the requested deletions. */
export function DeletionPanel({ project, initial }: { project: string; initial: Deletion[] }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.data.deletions.queryOptions(
    { project },
    {
      initialData: initial,
      refetchInterval: ({ state }) =>
        state.data?.some((each) => each.state === 'pending') === true ? 1_000 : false,
    },
  );
  const { data } = useQuery(options);
  const [user, setUser] = useState('');
  const [confirming, setConfirming] = useState(false);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const erase = useMutation(
    trpc.data.delete.mutationOptions({
      onSuccess: (deletion) => {
        setConfirming(false);
        setUser('');
        announce(deletion.state === 'done' ? 'Erased' : 'Being erased');
        refresh();
      },
    }),
  );
  const lift = useMutation(
    trpc.data.lift.mutationOptions({
      onSuccess: () => {
        announce('New data is accepted again');
        refresh();
      },
    }),
  );
  return (
    <Panel title="Deletions">
      <form
        className="flex flex-wrap items-end gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (user.trim() !== '') setConfirming(true);
        }}
      >
        <div className="min-w-56 flex-1 basis-56 sm:max-w-96">
          <Field
            label="Erase an end user"
            value={user}
            placeholder="the id that callers send"
            mono
            maxLength={300}
            onChange={(event) => setUser(event.target.value)}
          />
        </div>
        <Button type="submit" variant="danger" disabled={user.trim() === ''}>
          Erase
        </Button>
      </form>
      <FieldError text={lift.error ? problemOf(lift.error).message : null} />
      {data.length === 0 ? (
        <Empty title="Nothing was deleted.">
          <p>A session, a trace or a turn is deleted on its own page.</p>
        </Empty>
      ) : (
        <DataTable label="Deletions" heads={['What', 'Id', 'State', 'Rows', 'Requested', 'By', '']}>
          {data.map((each) => (
            <Row key={each.id}>
              <NameCell>{kinds[each.kind]}</NameCell>
              <Cell mono>
                <span className="inline-block max-w-56 truncate align-bottom" title={each.target}>
                  <VisibleText text={each.target} />
                </span>
              </Cell>
              <Cell>{each.state === 'done' ? 'done' : 'pending'}</Cell>
              <Cell>{each.rows.toLocaleString('en')}</Cell>
              <Cell>
                <Moment at={each.createdAt} />
              </Cell>
              <Cell>
                <VisibleText text={each.createdBy} />
              </Cell>
              <Cell end>
                {each.kind === 'user' && each.state === 'done' && !each.lifted ? (
                  <Button
                    busy={lift.isPending && lift.variables.id === each.id}
                    onClick={() => lift.mutate({ project, id: each.id })}
                  >
                    Accept again
                  </Button>
                ) : null}
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
      {confirming ? (
        <Confirm
          title="Erase an end user"
          action="Erase"
          busy={erase.isPending}
          error={erase.error ? problemOf(erase.error).message : null}
          onConfirm={() => erase.mutate({ project, kind: 'user', id: user.trim() })}
          onClose={() => setConfirming(false)}
        >
          <p>
            All data of <VisibleText text={user.trim()} /> is deleted: turns, traces, verdicts,
            labels, proxied calls, refused messages, and all export files of this project. New data
            of this user are rejected until you allow them again here. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </Panel>
  );
}
