'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { DeliveryPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Age } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

type Delivery = DeliveryPage['items'][number];

/** The latest deliveries of all destinations, with a button to send one again. */
export function DeliveryTable({ project, initial }: { project: string; initial: DeliveryPage }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.destinations.deliveries.queryOptions(
    { project, limit: 25 },
    { initialData: initial },
  );
  const { data } = useQuery(options);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const replay = useMutation(
    trpc.destinations.replay.mutationOptions({
      onSuccess: () => {
        announce('Queued again');
        refresh();
      },
    }),
  );
  return (
    <Panel title="Latest deliveries">
      <FieldError text={replay.error ? problemOf(replay.error).message : null} />
      {data.items.length === 0 ? (
        <Empty title="Nothing was sent yet.">
          <p>
            Each verdict, alert and report that is sent to a destination appears here with its
            state.
          </p>
        </Empty>
      ) : (
        <DataTable
          label="Deliveries"
          heads={['What', 'Destination', 'State', 'Attempts', 'Since', '']}
        >
          {data.items.map((each) => (
            <Row key={each.id}>
              <NameCell>
                {each.verdictId === null ? (
                  <VisibleText text={each.subject ?? 'A deleted notice'} />
                ) : (
                  <Link
                    className="text-12 font-mono underline"
                    href={`/p/${project}/verdicts/${each.verdictId}`}
                  >
                    {each.verdictId}
                  </Link>
                )}
              </NameCell>
              <Cell>
                <VisibleText text={each.destination} />
              </Cell>
              <Cell>
                <StateText delivery={each} />
              </Cell>
              <Cell end>{each.attempts}</Cell>
              <Cell>
                <Age at={each.createdAt} />
              </Cell>
              <Cell end>
                <Button
                  aria-label={`Send ${each.verdictId ?? each.subject ?? 'the notice'} to ${each.destination} again`}
                  busy={replay.isPending && replay.variables.id === each.id}
                  onClick={() => replay.mutate({ project, id: each.id })}
                >
                  Send again
                </Button>
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
    </Panel>
  );
}

function StateText({ delivery }: { delivery: Delivery }) {
  const { state, lastError, nextAttemptAt } = delivery;
  if (state === 'delivered')
    return <VisibleText text={lastError === null ? 'delivered' : `delivered: ${lastError}`} />;
  const why = lastError === null ? '' : `: ${lastError}`;
  if (state === 'dead') return <VisibleText text={`abandoned${why}`} />;
  return (
    <VisibleText
      text={nextAttemptAt === null ? `paused: its destination is off${why}` : `waiting${why}`}
    />
  );
}
