'use client';

import { DayRange } from '@/app/_ui/day-range';
import { useQueryStates } from 'nuqs';
import { useRef } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ReceivedPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FilterBar, ToggleGroup } from '@/app/_ui/filter-bar';
import { Toggle } from '@/app/_ui/filter-fields';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../verdicts/(list)/use-row-keys';
import { type Filters, filterParsers, filterQuery, listInput, receivedKinds } from './filters';
import { ReceivedTable } from './received-table';

interface ReceivedListProps {
  project: string;
  first: ReceivedPage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
}

const names: Record<Filters['what'], string> = { turns: 'Turns', refused: 'Rejected input' };
const subs: Record<Filters['what'], string> = {
  turns: 'All stored turns by time of arrival.',
  refused: 'Rejected input, with the reason that its sender received.',
};

/** The items that the overview counts as received and as rejected. */
export function ReceivedList({ project, first, firstFilters }: ReceivedListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const input = { ...listInput(project, filters), limit: 50 };
  const list = usePages({
    key: trpc.turns.received.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.turns.received.query(
        { ...input, ...(cursor !== null && { cursor, limit: 200 }) },
        { signal },
      ),
    first: filterQuery(filters) === filterQuery(firstFilters) ? first : null,
    idOf: ({ id }) => id,
  });
  const live = useLive(project, () => undefined);
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const isFiltered = filters.from !== null || filters.to !== null;
  const clear = () => void setFilters({ from: null, to: null });
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs trail={[{ name: 'Overview', href: `/p/${project}` }]} pageName="Received" />
        }
        title="Received"
        sub={subs[filters.what]}
      >
        <LiveMark state={live} readAt={list.dataUpdatedAt} />
      </PageHead>
      <FilterBar
        isFiltered={isFiltered}
        onClear={clear}
        toggles={
          <ToggleGroup label="What">
            {receivedKinds.map((what) => (
              <Toggle
                key={what}
                on={filters.what === what}
                onChange={() => void setFilters({ what })}
              >
                {names[what]}
              </Toggle>
            ))}
          </ToggleGroup>
        }
      >
        <DayRange
          range={{ from: filters.from, to: filters.to }}
          onChange={(range) => void setFilters(range)}
        />
      </FilterBar>
      {list.error ? (
        <ErrorPanel
          what="Received items could not be read"
          works="Rows already shown stay; Assay still receives turns."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <ReceivedTable rows={rows} project={project} what={filters.what} end={list.end} />
        ) : isFiltered ? (
          <FilteredOut
            noun={filters.what === 'turns' ? 'turn' : 'rejected input'}
            onClear={clear}
          />
        ) : (
          <Empty title={filters.what === 'turns' ? 'Nothing yet.' : 'Nothing was rejected.'} />
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
