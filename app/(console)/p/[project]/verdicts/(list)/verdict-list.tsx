'use client';

import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useMemo, useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { VerdictPage } from '@/app/_trpc/outputs';
import { ColumnChoice } from '@/app/_ui/column-choice';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import {
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  listInput,
  noFilters,
} from '../filters';
import { recallList } from '@/app/(console)/list-memory';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { verdictColumns, VerdictTable } from '../verdict-table';
import { AddFoundTurns } from './add-found-turns';
import { VerdictFilters } from './filter-bar';
import { useTrusts } from '@/app/(console)/use-trusts';
import { MissionPanel } from './mission-panel';
import { PeekPanel } from './peek-panel';
import { usePeek } from './use-peek';
import { useRowKeys } from './use-row-keys';

interface VerdictListProps {
  project: string;
  first: VerdictPage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
  /** Whether the person may add items to datasets. */
  mayAdd: boolean;
}

const idOf = ({ id }: VerdictPage['items'][number]): string => id;

export function VerdictList({ project, first, firstFilters, mayAdd }: VerdictListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const router = useRouter();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const search = filterQuery(filters);
  const isFirst = search === filterQuery(firstFilters);
  const input = { ...listInput(project, filters), limit: 50 };
  const list = usePages({
    key: trpc.verdicts.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.verdicts.list.query(
        { ...input, ...(cursor !== null && { cursor, limit: 200 }) },
        { signal },
      ),
    first: isFirst ? first : null,
    idOf,
  });
  const {
    error,
    hasNextPage,
    fetchNextPage,
    isFetchingNextPage,
    isPlaceholderData,
    dataUpdatedAt,
    refetch,
  } = list;
  const live = useLive(project, list.refresh);
  const rows = useMemo(() => list.pages.flatMap((page) => page.items), [list.pages]);
  const newest = list.pages[0] ?? first;
  const trusts = useTrusts(project);
  const area = useRef<HTMLDivElement>(null);
  const peek = usePeek(area);
  useRowKeys(area, '[data-verdict]', peek.follow);
  const remember = useListMemory({
    name: project,
    area,
    ids: () => rows.map(idOf),
    attribute: 'data-verdict',
  });
  const clear = () => void setFilters(noFilters);
  return (
    <PageBody>
      <PageHead title="Verdicts">
        <div className="flex flex-wrap items-center gap-3">
          <LiveMark state={live} readAt={dataUpdatedAt} />
          <ColumnChoice name="verdicts" columns={verdictColumns} />
          {mayAdd && rows.length > 0 && filters.experiment === null ? (
            <AddFoundTurns project={project} filters={filters} />
          ) : null}
        </div>
      </PageHead>
      <VerdictFilters
        project={project}
        filters={filters}
        models={newest.models}
        verifiers={newest.verifiers}
        onChange={(change) => void setFilters(change)}
        onClear={clear}
        onLeave={() => area.current?.querySelector<HTMLElement>('[data-verdict]')?.focus()}
      />
      {filters.mission === null ? null : (
        <MissionPanel project={project} mission={filters.mission} />
      )}
      {error ? (
        <ErrorPanel
          what="Verdicts could not be read"
          works="Rows already shown stay; verification continues."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <div
        className={
          peek.id === null ? '' : 'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_384px]'
        }
      >
        <ListFrame area={area} isBehind={isPlaceholderData}>
          {rows.length > 0 ? (
            <VerdictTable
              label="Verdicts"
              name="verdicts"
              rows={rows}
              project={project}
              trusts={trusts}
              onOpen={remember}
              onPeek={peek.open}
              end={list.end}
              startAt={() => recallList(project)?.at ?? null}
            />
          ) : isFiltered(filters) ? (
            <FilteredOut noun="verdict" onClear={clear} />
          ) : (
            <Empty title="Nothing yet.">
              <p>A verdict appears here as soon as a turn has been received and verified.</p>
              <div>
                <Button onClick={() => router.push(`/p/${project}`)}>
                  Show how to send a first turn
                </Button>
              </div>
            </Empty>
          )}
        </ListFrame>
        {peek.id === null ? null : (
          <PeekPanel project={project} id={peek.id} onClose={peek.close} onOpen={remember} />
        )}
      </div>
      <LoadMore
        shown={rows.length}
        hasMore={hasNextPage}
        busy={isFetchingNextPage}
        onMore={() => void fetchNextPage()}
      />
    </PageBody>
  );
}
