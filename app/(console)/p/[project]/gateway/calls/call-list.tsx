'use client';

import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useRef } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { CallPage } from '@/app/_trpc/outputs';
import { ColumnChoice } from '@/app/_ui/column-choice';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { useKeys } from '@/app/_ui/keyboard';
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
import { callColumns, CallTable } from './call-table';
import { CallFilters } from './filter-bar';

interface CallListProps {
  project: string;
  first: CallPage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
}

/** Every recorded call, the newest first. */
export function CallList({ project, first, firstFilters }: CallListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const router = useRouter();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const input = listInput(project, filters);
  const list = usePages({
    key: trpc.gateway.calls.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.gateway.calls.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
    idOf: ({ id }) => id,
  });
  const live = useLive(project, list.refresh);
  const rows = list.pages.flatMap((page) => page.items);
  const newest = list.pages[0] ?? first;
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  useKeys({ Escape: () => router.push(`/p/${project}/gateway`) });
  const remember = useListMemory({
    name: `${project}/gateway/calls`,
    area,
    ids: () => rows.map((row) => row.id),
  });
  const clear = () => void setFilters(noFilters);
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs trail={[{ name: 'Gateway', href: `/p/${project}/gateway` }]} pageName="Calls" />
        }
        title="Calls"
        sub="The outcome of each call through the gateway."
      >
        <div className="flex flex-wrap items-center gap-3">
          <LiveMark state={live} readAt={list.dataUpdatedAt} />
          <ColumnChoice name="calls" columns={callColumns} />
        </div>
      </PageHead>
      <CallFilters
        project={project}
        filters={filters}
        models={newest.models}
        routes={newest.routes}
        onChange={(change) => void setFilters(change)}
        onClear={clear}
      />
      {list.error ? (
        <ErrorPanel
          what="Calls could not be read"
          works="Rows already shown stay; calls still go through the gateway."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <CallTable project={project} rows={rows} onOpen={remember} end={list.end} />
        ) : isFiltered(filters) ? (
          <FilteredOut noun="call" onClear={clear} />
        ) : (
          <Empty title="Nothing yet.">
            <p>A call appears here as soon as its answer was delivered.</p>
            <div>
              <Button onClick={() => router.push(`/p/${project}/gateway`)}>
                Show how to send a first call
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
