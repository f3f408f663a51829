'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useRef, useState } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import { may } from '@/app/(console)/pages';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { DatasetDetail, DatasetItemPage, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { FilterBar } from '@/app/_ui/filter-bar';
import { Choice, TextFilter } from '@/app/_ui/filter-fields';
import { FilteredOut, ListFrame } from '@/app/_ui/list-frame';
import { PageBody } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { heldOutSplit } from '@/server/experiments/input';
import { DatasetExperiments } from '../../experiments/experiment-links';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { plural } from '../dataset-words';
import { ItemsCommand } from '../items-command';
import { AddItemsDialog } from './add-items-dialog';
import { DatasetHead } from './dataset-head';
import {
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  itemsInput,
  noFilters,
} from './filters';
import { ItemTable } from './item-table';
import { VersionSelect } from './version-select';

interface DatasetViewProps {
  project: Project;
  initial: DatasetDetail;
  first: DatasetItemPage;
  /** The filters that `first` was loaded with, with the number of the version. */
  firstFilters: Filters;
}

/** The items of a version of a dataset. */
export function DatasetView({ project, initial, first, firstFilters }: DatasetViewProps) {
  const { slug } = initial;
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const mayWrite = may(project, 'labels.write');
  const [isAdding, setAdding] = useState(false);
  const [filters, setFilters] = useQueryStates(filterParsers, { history: 'push' });
  const { data: dataset, dataUpdatedAt } = useQuery(
    trpc.datasets.get.queryOptions({ project: project.slug, slug }, { initialData: initial }),
  );
  const version = filters.version ?? dataset.version;
  const input = itemsInput({ project: project.slug, slug, version }, filters);
  const list = usePages<DatasetItemPage>({
    key: trpc.datasets.items.queryKey(input),
    read: async (cursor, signal) =>
      version === 0
        ? first
        : trpcClient.datasets.items.query(
            { ...input, ...(cursor !== null && { cursor }) },
            { signal },
          ),
    first: filterQuery({ ...filters, version }) === filterQuery(firstFilters) ? first : null,
  });
  const rows = list.pages.flatMap((page) => page.items);
  const hidden = list.pages[0]?.hidden ?? 0;
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${project.slug}/datasets/${slug}`,
    area,
    ids: () => rows.map((row) => row.id),
  });
  const change = (to: Partial<Filters>) => void setFilters(to);
  return (
    <PageBody>
      <DatasetHead
        project={project}
        dataset={dataset}
        readAt={dataUpdatedAt}
        currentTab="items"
        onAdd={mayWrite ? () => setAdding(true) : null}
      />
      {dataset.version === 0 ? null : (
        <FilterBar isFiltered={isFiltered(filters)} onClear={() => change(noFilters)}>
          <VersionSelect
            name="Version"
            versions={dataset.versions.map((each) => each.version)}
            latest={dataset.version}
            value={version}
            onChange={(to) => change({ version: to === dataset.version ? null : to })}
          />
          <Choice
            name="Split"
            value={filters.split}
            values={Object.keys(dataset.splits).sort()}
            onChange={(split) => change({ split })}
          />
          <TextFilter
            label="Filter by tag"
            maxLength={200}
            placeholder="Exact tag ( / )"
            value={filters.tag}
            onChange={(tag) => change({ tag })}
            onLeave={() => area.current?.querySelector<HTMLElement>('[data-row]')?.focus()}
          />
        </FilterBar>
      )}
      {list.error ? (
        <ErrorPanel
          what="Items could not be read"
          works="Rows already shown stay; running experiments continue."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      {hidden > 0 ? (
        <p className="text-ink-2">
          {plural(hidden, 'item')} of the split <code className="font-mono">{heldOutSplit}</code>{' '}
          {hidden === 1 ? 'is' : 'are'} hidden: your role edits prompts, and a prompt must not be
          written for the items that test it. Owners and reviewers see them.
        </p>
      ) : null}
      <ListFrame area={area} isBehind={list.isPlaceholderData}>
        {rows.length > 0 ? (
          <ItemTable
            rows={rows}
            href={`/p/${project.slug}`}
            dataset={slug}
            onOpen={remember}
            end={list.end}
          />
        ) : isFiltered(filters) ? (
          <FilteredOut noun="item" onClear={() => change(noFilters)} />
        ) : hidden > 0 ? (
          <Empty title="All items of this version are hidden." />
        ) : (
          <Empty title="There is no item.">
            <p>Add items from a file or from the page of a turn, or send them from a program:</p>
            <ItemsCommand project={project} slug={slug} />
          </Empty>
        )}
      </ListFrame>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
      {dataset.version === 0 ? null : <DatasetExperiments project={project.slug} slug={slug} />}
      {isAdding ? (
        <AddItemsDialog project={project.slug} slug={slug} onClose={() => setAdding(false)} />
      ) : null}
    </PageBody>
  );
}
