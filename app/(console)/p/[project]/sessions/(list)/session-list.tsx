'use client';

import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useEffect, useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { SessionPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { DayFilter, TextFilter } from '@/app/_ui/filter-fields';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { recallList, rememberList } from '../../verdicts/list-memory';
import { type Filters, filterParsers, filterQuery, isFiltered, listInput, noFilters } from '../filters';
import { SessionTable } from './session-table';

interface SessionListProps {
  project: string;
  first: SessionPage;
  /** The filters that `first` was read with. */
  firstFilters: Filters;
}

/** Turns without a verdict to come announce themselves to nobody. */
const everyMs = 15_000;

export function SessionList({ project, first, firstFilters }: SessionListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const router = useRouter();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const input = { ...listInput(project, filters), limit: 50 };
  const list = usePages({
    key: trpc.sessions.list.queryKey(input),
    read: (cursor, signal) => trpcClient.sessions.list.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
    everyMs,
  });
  const live = useLive(project, list.refresh);
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const memoryName = `${project}/sessions`;
  useEffect(() => {
    const memory = recallList(memoryName);
    if (!memory?.at || memory.search !== window.location.search) return;
    area.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(memory.at)}"]`)?.focus();
  }, [memoryName]);
  const remember = (id: string) => rememberList(memoryName, { search: window.location.search, ids: rows.map((row) => row.id), at: id });
  const change = (to: Partial<Filters>) => void setFilters(to);
  return (
    <PageBody>
      <PageHead title="Sessions">
        <LiveMark state={live} readAt={list.dataUpdatedAt} />
      </PageHead>
      <search aria-label="Filters" className="grid grid-cols-2 gap-2 md:flex md:flex-wrap">
        <TextFilter
          placeholder="Text in the id ( / )"
          value={filters.text}
          onChange={(text) => change({ text })}
          onLeave={() => area.current?.querySelector<HTMLElement>('[data-row]')?.focus()}
        />
        <DayFilter name="From" value={filters.from} onChange={(from) => change({ from })} />
        <DayFilter name="To" value={filters.to} endOfDay onChange={(to) => change({ to })} />
        {isFiltered(filters) ? (
          <Button look="quiet" onClick={() => change(noFilters)}>
            Clear filters
          </Button>
        ) : null}
      </search>
      {list.error ? (
        <ErrorPanel
          what="Sessions could not be read"
          works="Rows already shown stay; turns are still taken in."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <div
        ref={area}
        aria-busy={list.isPlaceholderData}
        className={`bg-surface border-line rounded-8 border ${list.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {rows.length > 0 ? (
          <SessionTable rows={rows} project={project} onOpen={remember} />
        ) : isFiltered(filters) ? (
          <Empty title="No session passes these filters.">
            <div>
              <Button onClick={() => change(noFilters)}>Clear filters</Button>
            </div>
          </Empty>
        ) : (
          <Empty title="Nothing yet.">
            <p>
              A session appears here when a turn brings a <code className="font-mono">session_id</code>, or a span an attribute such as{' '}
              <code className="font-mono">session.id</code> or <code className="font-mono">gen_ai.conversation.id</code>.
            </p>
            <div>
              <Button onClick={() => router.push(`/p/${project}/traces`)}>Show how to send a trace</Button>
            </div>
          </Empty>
        )}
      </div>
      <LoadMore shown={rows.length} hasMore={list.hasNextPage} busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </PageBody>
  );
}
