'use client';

import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useEffect, useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { VerdictPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { type Filters, filterParsers, filterQuery, isFiltered, listInput, noFilters } from '../filters';
import { recallList, rememberList } from '../list-memory';
import { VerdictTable } from '../verdict-table';
import { FilterBar } from './filter-bar';
import { useTrusts } from '@/app/(console)/use-trusts';
import { useRowKeys } from './use-row-keys';

interface VerdictListProps {
  project: string;
  first: VerdictPage;
  /** The filters that `first` was read with. */
  firstFilters: Filters;
}

const noCursor: string | null = null;

export function VerdictList({ project, first, firstFilters }: VerdictListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const router = useRouter();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const search = filterQuery(filters);
  const isFirst = search === filterQuery(firstFilters);
  const input = { ...listInput(project, filters), limit: 50 };
  // The procedure takes its own fields only, and tRPC's infinite options would add `direction` to them.
  const options = infiniteQueryOptions({
    queryKey: [...trpc.verdicts.list.queryKey(input), 'pages'],
    queryFn: ({ pageParam, signal }) =>
      trpcClient.verdicts.list.query({ ...input, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: noCursor,
    getNextPageParam: (page: VerdictPage) => page.nextCursor,
    placeholderData: keepPreviousData,
    ...(isFirst && { initialData: { pages: [first], pageParams: [noCursor] } }),
  });
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData, dataUpdatedAt, refetch } =
    useInfiniteQuery(options);
  const live = useLive(project, () => void client.invalidateQueries({ queryKey: options.queryKey }));
  const rows = (data?.pages ?? []).flatMap((page) => page.items);
  const newest = data?.pages[0] ?? first;
  const trusts = useTrusts(project);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area);

  // On the way back from a verdict the focus returns to its row.
  useEffect(() => {
    const memory = recallList(project);
    if (!memory?.at || memory.search !== window.location.search) return;
    area.current?.querySelector<HTMLElement>(`[data-verdict="${CSS.escape(memory.at)}"]`)?.focus();
  }, [project]);

  const remember = (id: string) => rememberList(project, { search: window.location.search, ids: rows.map((row) => row.id), at: id });
  const clear = () => void setFilters(noFilters);
  return (
    <PageBody>
      <PageHead title="Verdicts">
        <LiveMark state={live} readAt={dataUpdatedAt} />
      </PageHead>
      <FilterBar
        filters={filters}
        models={newest.models}
        verifiers={newest.verifiers}
        onChange={(change) => void setFilters(change)}
        onClear={clear}
        onLeave={() => area.current?.querySelector<HTMLElement>('[data-verdict]')?.focus()}
      />
      {error ? (
        <ErrorPanel
          what="Verdicts could not be read"
          works="Rows already shown stay; verdicts are still being made."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <div
        ref={area}
        aria-busy={isPlaceholderData}
        className={`bg-surface border-line rounded-8 border ${isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {rows.length > 0 ? (
          <VerdictTable label="Verdicts" rows={rows} project={project} trusts={trusts} onOpen={remember} />
        ) : isFiltered(filters) ? (
          <Empty title="No verdict passes these filters.">
            <div>
              <Button onClick={clear}>Clear filters</Button>
            </div>
          </Empty>
        ) : (
          <Empty title="Nothing yet.">
            <p>A verdict appears here as soon as a turn has been received and verified.</p>
            <div>
              <Button onClick={() => router.push(`/p/${project}`)}>Show how to send a first turn</Button>
            </div>
          </Empty>
        )}
      </div>
      <div className="flex items-center gap-4">
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        ) : null}
        {rows.length > 0 ? (
          <p className="text-12 text-ink-3">
            {rows.length.toLocaleString('en')} shown{hasNextPage ? '' : ', no more'}
          </p>
        ) : null}
      </div>
    </PageBody>
  );
}
