'use client';

import { DayRange } from '@/app/_ui/day-range';
import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { SavedViews } from '@/app/(console)/saved-views';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { SessionPage } from '@/app/_trpc/outputs';
import { ColumnChoice } from '@/app/_ui/column-choice';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FilterBar } from '@/app/_ui/filter-bar';
import { TextFilter } from '@/app/_ui/filter-fields';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { useListMemory } from '@/app/(console)/use-list-memory';
import {
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  listInput,
  noFilters,
} from '../filters';
import { sessionColumns, SessionTable } from './session-table';

interface SessionListProps {
  project: string;
  first: SessionPage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
}

export function SessionList({ project, first, firstFilters }: SessionListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const router = useRouter();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const input = { ...listInput(project, filters), limit: 50 };
  const list = usePages({
    key: trpc.sessions.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.sessions.list.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
  });
  const live = useLive(project, list.refresh);
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${project}/sessions`,
    area,
    ids: () => rows.map((row) => row.id),
  });
  const change = (to: Partial<Filters>) => void setFilters(to);
  return (
    <PageBody>
      <PageHead title="Sessions">
        <div className="flex flex-wrap items-center gap-3">
          <LiveMark state={live} readAt={list.dataUpdatedAt} />
          <ColumnChoice name="sessions" columns={sessionColumns} />
        </div>
      </PageHead>
      <FilterBar
        isFiltered={isFiltered(filters)}
        onClear={() => change(noFilters)}
        views={<SavedViews project={project} page="sessions" query={filterQuery(filters)} />}
      >
        <TextFilter
          placeholder="Text in input or id ( / )"
          value={filters.text}
          onChange={(text) => change({ text })}
          onLeave={() => area.current?.querySelector<HTMLElement>('[data-row]')?.focus()}
        />
        <DayRange range={{ from: filters.from, to: filters.to }} onChange={change} />
      </FilterBar>
      {list.error ? (
        <ErrorPanel
          what="Sessions could not be read"
          works="Rows already shown stay; Assay still receives turns."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <SessionTable rows={rows} project={project} onOpen={remember} end={list.end} />
        ) : isFiltered(filters) ? (
          <FilteredOut noun="session" onClear={() => change(noFilters)} />
        ) : (
          <Empty title="Nothing yet.">
            <p>
              A session appears here when a turn has a <code className="font-mono">session_id</code>
              , or a span an attribute such as <code className="font-mono">session.id</code> or{' '}
              <code className="font-mono">gen_ai.conversation.id</code>.
            </p>
            <div>
              <Button onClick={() => router.push(`/p/${project}/traces`)}>
                Show how to send a trace
              </Button>
            </div>
          </Empty>
        )}
      </ListFrame>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </PageBody>
  );
}
