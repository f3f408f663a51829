'use client';

import { useQueryStates } from 'nuqs';
import { useMemo, useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Project, TracePage } from '@/app/_trpc/outputs';
import { ColumnChoice } from '@/app/_ui/column-choice';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel, Panel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { recallList } from '@/app/(console)/list-memory';
import { useCreate } from '@/app/(console)/use-create';
import { useListMemory } from '@/app/(console)/use-list-memory';
import {
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  listInput,
  noFilters,
} from '../filters';
import { traceColumns, TraceTable } from '../trace-table';
import { TraceFilters } from './filter-bar';
import { FirstTrace } from './first-trace';

interface TraceListProps {
  project: Project;
  first: TracePage;
  /** The filters that `first` was loaded with. */
  firstFilters: Filters;
}

const idOf = ({ id }: TracePage['items'][number]): string => id;

export function TraceList({ project, first, firstFilters }: TraceListProps) {
  const { slug } = project;
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const isFirst = filterQuery(filters) === filterQuery(firstFilters);
  const input = { ...listInput(slug, filters), limit: 50 };
  const list = usePages({
    key: trpc.traces.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.traces.list.query(
        { ...input, ...(cursor !== null && { cursor, limit: 200 }) },
        { signal },
      ),
    first: isFirst ? first : null,
    idOf,
  });
  const live = useLive(slug, list.refresh);
  const [isSending, setSending] = useCreate();
  const rows = useMemo(() => list.pages.flatMap((page) => page.items), [list.pages]);
  const newest = list.pages[0] ?? first;
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const memoryName = `${slug}/traces`;
  const remember = useListMemory({ name: memoryName, area, ids: () => rows.map((row) => row.id) });
  const clear = () => void setFilters(noFilters);
  return (
    <PageBody>
      <PageHead title="Traces">
        <div className="flex flex-wrap items-center gap-3">
          <LiveMark state={live} readAt={list.dataUpdatedAt} />
          <ColumnChoice name="traces" columns={traceColumns} />
        </div>
      </PageHead>
      <TraceFilters
        project={slug}
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
          works="Rows already shown stay; Assay still receives spans."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      {isSending && rows.length > 0 ? (
        <Panel
          title="Send a trace"
          aside={<Button onClick={() => setSending(false)}>Close</Button>}
        >
          <FirstTrace
            project={project}
            title="Traces already arrive. To send traces from another program:"
          />
        </Panel>
      ) : null}
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <TraceTable
            label="Traces"
            rows={rows}
            project={slug}
            onOpen={remember}
            end={list.end}
            startAt={() => recallList(memoryName)?.at ?? null}
          />
        ) : isFiltered(filters) ? (
          <FilteredOut noun="trace" onClear={clear} />
        ) : (
          <FirstTrace project={project} />
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
