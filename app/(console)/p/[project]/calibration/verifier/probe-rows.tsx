'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ProbeDetail, ProbeRun } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';
import { Skeleton } from '@/app/_ui/panel';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { answerName, probeName } from './probe-words';

type Item = ProbeDetail['rows'][number];
type Answer = Item['answers'][number];

interface ProbeRowsProps {
  project: string;
  run: ProbeRun;
  onClose: () => void;
}

/** The rows of a probe: each item with all its answers, side by side. */
export function ProbeRows({ project, run, onClose }: ProbeRowsProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const isCanaries = run.probe === 'canaries';
  const [moved, setMoved] = useState(false);
  const pages = useInfiniteQuery({
    queryKey: [...trpc.probes.get.queryKey({ project, id: run.id, moved }), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.probes.get.query({ project, id: run.id, moved, after: pageParam }, { signal }),
    initialPageParam: -1,
    getNextPageParam: (page: ProbeDetail) => page.next,
  });
  const items = pages.data?.pages.flatMap(({ rows }) => rows) ?? [];
  return (
    <Dialog wide title={`${probeName[run.probe]}: what was judged`} onClose={onClose}>
      <div className="grid gap-3">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={moved}
            onChange={(event) => setMoved(event.target.checked)}
          />
          {isCanaries ? 'Passed only' : 'Inconsistent only'}
        </label>
        {pages.error ? (
          <FieldError text={problemOf(pages.error).message} />
        ) : pages.data === undefined ? (
          <Skeleton className="h-40" />
        ) : items.length === 0 ? (
          <p className="text-ink-2">
            {moved ? (isCanaries ? 'None passed.' : 'All verdicts agree.') : 'Nothing was judged.'}
          </p>
        ) : (
          <div
            className="border-line max-h-[60vh] overflow-y-auto border-y"
            tabIndex={0}
            role="region"
            aria-label="Items"
          >
            <ol className="divide-line grid grid-cols-[minmax(0,1fr)] divide-y">
              {items.map((item) => (
                <li key={item.ordinal} className="grid gap-2 py-3">
                  <ItemHead project={project} item={item} />
                  <ul className="grid gap-x-4 gap-y-2 sm:grid-cols-[repeat(auto-fill,minmax(220px,1fr))]">
                    {item.answers.map((answer) => (
                      <li key={`${answer.variant} ${answer.repeat}`} className="min-w-0">
                        <AnswerView answer={answer} repeats={run.repeats} />
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
          </div>
        )}
        <div className="flex justify-end gap-2">
          {pages.hasNextPage ? (
            <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              Show more
            </Button>
          ) : null}
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

function ItemHead({
  project,
  item: { excerpt, verdictId, good, moved, ordinal },
}: {
  project: string;
  item: Item;
}) {
  const text = excerpt === '' ? `Item ${(ordinal + 1).toLocaleString('en')}` : excerpt;
  return (
    <p className="[overflow-wrap:anywhere]">
      {verdictId === null ? (
        <VisibleText text={text} />
      ) : (
        <Link href={`/p/${project}/verdicts/${verdictId}`} prefetch={false} className="underline">
          <VisibleText text={text} />
        </Link>
      )}{' '}
      <span className="text-12 text-ink-2">
        {good === null ? 'not labelled' : good ? 'good' : 'bad'}
        {moved ? ', inconsistent' : ''}
      </span>
    </p>
  );
}

function AnswerView({ answer, repeats }: { answer: Answer; repeats: number }) {
  const { outcome, verdict, score, reason } = answer;
  return (
    <div className="grid gap-0.5">
      <span className="text-12 text-ink-3">{answerName(answer, repeats)}</span>
      {outcome === null ? (
        <span className="text-ink-3">pending</span>
      ) : outcome === 'left_out' ? (
        <span className="text-ink-2">left out</span>
      ) : (
        <span className="flex flex-wrap items-center gap-x-2">
          <VerdictBadge outcome={outcome} verdict={verdict} />
          {score === null ? null : (
            <span className="text-12 text-ink-2">{Number(score.toFixed(4))}</span>
          )}
        </span>
      )}
      {reason === null ? null : (
        <span className="text-12 text-ink-2 line-clamp-3 [overflow-wrap:anywhere]">
          <VisibleText text={reason} />
        </span>
      )}
    </div>
  );
}
