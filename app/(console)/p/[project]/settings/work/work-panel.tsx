'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { WorkBacklog } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Age, Moment } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { boxWords, levelWords } from './sandbox-words';

/**
 * Events announce waiting work, but neither its age nor the heartbeats of workers: poll for those.
 */
const readAgainMs = 15_000;

interface WorkPanelProps {
  project: string;
  initial: WorkBacklog;
  mayReplay: boolean;
}

export function WorkPanel({ project, initial, mayReplay }: WorkPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.work.waiting.queryOptions(
    { project },
    { initialData: initial, refetchInterval: readAgainMs },
  );
  const { data } = useQuery(options);
  const refresh = () => void client.invalidateQueries({ queryKey: options.queryKey });
  useLive(project, refresh, 3000);
  const replay = useMutation(
    trpc.work.replay.mutationOptions({
      onSuccess: () => {
        announce('Queued again');
        refresh();
      },
    }),
  );
  return (
    <>
      <PageHead
        title="Backlog"
        sub={
          data.waiting === 0
            ? 'Nothing is waiting to be verified.'
            : `${data.waiting.toLocaleString('en')} waiting to be verified.`
        }
      />
      <FieldError text={replay.error ? problemOf(replay.error).message : null} />
      <JudgePanel judging={data.judging} />
      <BoxPanel box={data.box} />
      <Panel
        title="Quarantined"
        aside={
          data.quarantinedCount === 0 ? null : (
            <span className="text-12 text-ink-3">
              {data.quarantinedCount.toLocaleString('en')} now
              {data.quarantinedCount > data.quarantined.length
                ? `, the latest ${data.quarantined.length.toLocaleString('en')} shown`
                : ''}
            </span>
          )
        }
      >
        {data.quarantined.length === 0 ? (
          <Empty title="Nothing is quarantined.">
            <p>
              Work that repeatedly stops a worker is quarantined here with its reason, so that it
              does not block the rest.
            </p>
          </Empty>
        ) : (
          <DataTable
            label="Quarantined work"
            heads={['Subject', 'Verifier', 'Reason', 'Attempts', 'Since', '']}
          >
            {data.quarantined.map((item) => (
              <Row key={`${item.subjectId} ${item.verifier}`}>
                <NameCell>
                  <code className="text-12 font-mono">
                    <VisibleText text={item.subjectId} />
                  </code>
                </NameCell>
                <Cell mono>{item.verifier}</Cell>
                <Cell>
                  <VisibleText text={item.reason} />
                </Cell>
                <Cell end>{item.attempts}</Cell>
                <Cell>
                  <Age at={item.since} />
                </Cell>
                <Cell end>
                  {mayReplay ? (
                    <Button
                      aria-label={`Replay ${plainText(item.subjectId)}`}
                      busy={replay.isPending && replay.variables.subjectId === item.subjectId}
                      onClick={() =>
                        replay.mutate({
                          project,
                          subjectId: item.subjectId,
                          verifier: item.verifier,
                        })
                      }
                    >
                      Replay
                    </Button>
                  ) : null}
                </Cell>
              </Row>
            ))}
          </DataTable>
        )}
      </Panel>
    </>
  );
}

/** Whether proof gates can run; without a sandbox they neither pass nor fail. */
function BoxPanel({ box: { state, reason, fix, level, checkedAt } }: { box: WorkBacklog['box'] }) {
  return (
    <Panel title="Sandbox for proof gates">
      <div className="grid max-w-[72ch] gap-2 p-4">
        <p role={state === 'missing' || state === 'failing' ? 'alert' : undefined}>
          {boxWords[state]}
        </p>
        {[reason, fix].map((text) =>
          text === null ? null : (
            <p key={text} className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={text} />
            </p>
          ),
        )}
        {level === undefined ? null : <p className="text-ink-2">{levelWords(level).join(' ')}</p>}
        {checkedAt === null ? null : (
          <p className="text-ink-2">
            Last self-test <Moment at={checkedAt} />.
          </p>
        )}
      </div>
    </Panel>
  );
}

/** The work that waits for a model, and whether workers process it. */
function JudgePanel({ judging }: { judging: WorkBacklog['judging'] }) {
  const { backend, state, waiting, inHand, later } = judging;
  return (
    <Panel title="Waiting for a judge">
      <div className="grid max-w-[72ch] gap-2 p-4">
        <p>
          {waiting + inHand + later === 0
            ? 'No work waits for a judge.'
            : `${waiting.toLocaleString('en')} due, ${inHand.toLocaleString('en')} being judged, ${later.toLocaleString('en')} postponed.`}
        </p>
        {state === 'away' ? (
          <p role="alert">
            No worker has taken work for 10 seconds: no worker runs, or none reaches the queue.
            Pending work is kept and continues automatically.
          </p>
        ) : null}
        <p className="text-ink-2">
          The queue is in {backend === 'redis' ? 'Redis' : 'PostgreSQL'}.
        </p>
      </div>
    </Panel>
  );
}
