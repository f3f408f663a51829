'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useRef } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { SessionRow, SessionTurnPage, VerdictPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { useKeys } from '@/app/_ui/keyboard';
import { EntityTitle } from '@/app/_ui/entity-title';
import { titleLine } from '@/server/domain';
import { Age } from '@/app/_ui/moment';
import { PageBody } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../../traces/filters';
import { filterQuery as verdictQuery } from '../../verdicts/filters';
import { VerdictsByVerifier } from '../../verdicts/verdicts-by-verifier';
import { recallList } from '@/app/(console)/list-memory';
import { sessionCostText } from '../session-cost';
import { CodeBadge, ExternalBadge, SessionMark } from '../session-mark';
import { CodeButton } from './code-button';
import { SessionTurn } from './session-turn';

interface SessionViewProps {
  project: string;
  session: SessionRow;
  first: SessionTurnPage;
  verdicts: VerdictPage;
  /** The button that deletes it, for users with the permission. */
  deletion?: ReactNode;
}

/** A session as a conversation, oldest turn first. */
export function SessionView({ project, session, first, verdicts, deletion }: SessionViewProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const router = useRouter();
  const { id } = session;
  const input = { project, session: id, limit: 20 };
  const head = trpc.sessions.get.queryOptions({ project, id }, { initialData: session });
  const { data: row } = useQuery(head);
  const list = usePages({
    key: trpc.sessions.turns.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.sessions.turns.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first,
  });
  const live = useLive(project, () => {
    list.refresh();
    void client.invalidateQueries({ queryKey: head.queryKey });
  });
  const turns = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLOListElement>(null);
  const move = (step: 1 | -1) => {
    const all = [...(area.current?.querySelectorAll<HTMLElement>('[data-turn]') ?? [])];
    const at = all.findIndex((each) => each.contains(document.activeElement));
    const target = at === -1 ? all[step === 1 ? 0 : all.length - 1] : all[at + step];
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'start' });
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Escape: () =>
      router.push(`/p/${project}/sessions${recallList(`${project}/sessions`)?.search ?? ''}`),
  });
  return (
    <PageBody narrow>
      <SessionHead project={project} row={row} title={row.inputExcerpt ?? titleOf(turns[0])}>
        <LiveMark state={live} readAt={list.dataUpdatedAt} />
        <CodeButton project={project} code={row.code} />
        {deletion}
      </SessionHead>
      <VerdictsByVerifier project={project} of={{ session: id }} first={verdicts} />
      {list.error ? (
        <ErrorPanel
          what="The conversation could not be read"
          works="Turns already shown stay."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      {turns.length === 0 ? (
        <Empty title="No turn of this session has arrived.">
          {row.code === null ? (
            <p>
              Its traces contain no turn yet: a turn appears when a model has answered its caller.
            </p>
          ) : (
            <p>
              Its code was verified:{' '}
              <Link
                href={`/p/${project}/verdicts${verdictQuery({ session: id })}`}
                className="underline"
              >
                verdicts of this session
              </Link>
              .
            </p>
          )}
        </Empty>
      ) : (
        <ol ref={area} aria-label="Conversation" className="grid gap-4">
          {turns.map((turn, index) => (
            <SessionTurn key={turn.id} project={project} turn={turn} number={index + 1} />
          ))}
        </ol>
      )}
      <LoadMore
        shown={turns.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </PageBody>
  );
}

/** The first question of the conversation; without one, its first answer. */
function titleOf(turn: SessionTurnPage['items'][number] | undefined): string | null {
  const question = turn?.texts?.newMessages.find(({ role }) => role === 'user');
  return titleLine(question?.content) ?? titleLine(turn?.texts?.answer);
}

function SessionHead({
  project,
  row,
  title,
  children,
}: {
  project: string;
  row: SessionRow;
  title: string | null;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-80 gap-0.5">
        <Crumbs
          trail={[
            { name: 'Sessions', href: `/p/${project}/sessions`, list: `${project}/sessions` },
          ]}
          pageName="Session"
        />
        <EntityTitle text={title} noun="Session" id={row.id} />
        <div className="text-ink-2 flex flex-wrap items-center gap-x-3">
          <SessionMark row={row} />
          <CodeBadge code={row.code} />
          <ExternalBadge agent={row.external} />
          <span>
            {row.turns.toLocaleString('en')} {row.turns === 1 ? 'turn' : 'turns'}
          </span>
          {sessionCostText(row) === '' ? null : <span>{sessionCostText(row)}</span>}
          {row.models.length === 0 ? null : (
            <code className="text-12 min-w-0 font-mono [overflow-wrap:anywhere]">
              <VisibleText text={row.models.join(', ')} />
            </code>
          )}
          <span>
            last received <Age at={row.lastReceivedAt} /> ago
          </span>
        </div>
      </div>
      <nav aria-label="Session" className="text-ink-2 flex items-center gap-3">
        {children}
        {row.traces > 0 ? (
          <Link
            href={`/p/${project}/traces${filterQuery({ session: row.id })}`}
            className="hover:text-ink underline"
          >
            {row.traces.toLocaleString('en')} {row.traces === 1 ? 'trace' : 'traces'}
          </Link>
        ) : null}
      </nav>
    </div>
  );
}
