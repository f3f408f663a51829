'use client';

import { useQueryStates } from 'nuqs';
import { useEffect, useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Project, TracePage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { recallList, rememberList } from '../../verdicts/list-memory';
import { type Filters, filterParsers, filterQuery, isFiltered, listInput, noFilters } from '../filters';
import { TraceTable } from '../trace-table';
import { FilterBar } from './filter-bar';
import { FirstTrace } from './first-trace';

interface TraceListProps {
  project: Project;
  first: TracePage;
  /** The filters that `first` was read with. */
  firstFilters: Filters;
}

/** Traces without a verdict to come announce themselves to nobody. */
const everyMs = 15_000;

export function TraceList({ project, first, firstFilters }: TraceListProps) {
  const { slug } = project;
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const isFirst = filterQuery(filters) === filterQuery(firstFilters);
  const input = { ...listInput(slug, filters), limit: 50 };
  const list = usePages({
    key: trpc.traces.list.queryKey(input),
    read: (cursor, signal) => trpcClient.traces.list.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first: isFirst ? first : null,
    everyMs,
  });
  const live = useLive(slug, list.refresh);
  const rows = list.pages.flatMap((page) => page.items);
  const newest = list.pages[0] ?? first;
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');

  // On the way back from a trace the focus returns to its row.
  const memoryName = `${slug}/traces`;
  useEffect(() => {
    const memory = recallList(memoryName);
    if (!memory?.at || memory.search !== window.location.search) return;
    area.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(memory.at)}"]`)?.focus();
  }, [memoryName]);
  const remember = (id: string) => rememberList(memoryName, { search: window.location.search, ids: rows.map((row) => row.id), at: id });
  const clear = () => void setFilters(noFilters);
  return (
    <PageBody>
      <PageHead title="Traces">
        <LiveMark state={live} readAt={list.dataUpdatedAt} />
      </PageHead>
      <FilterBar
        filters={filters}
        models={newest.models}
        services={newest.services}
        onChange={(change) => void setFilters(change)}
        onClear={clear}
        onLeave={() => area.current?.querySelector<HTMLElement>('[data-row]')?.focus()}
      />
      {list.error ? (
        <ErrorPanel
          what="Traces could not be read"
          works="Rows already shown stay; spans are still taken in."
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
          <TraceTable label="Traces" rows={rows} project={slug} onOpen={remember} />
        ) : isFiltered(filters) ? (
          <Empty title="No trace passes these filters.">
            <div>
              <Button onClick={clear}>Clear filters</Button>
            </div>
          </Empty>
        ) : (
          <FirstTrace project={project} />
        )}
      </div>
      <LoadMore shown={rows.length} hasMore={list.hasNextPage} busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </PageBody>
  );
}
