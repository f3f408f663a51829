'use client';

import { useRef } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ComparedItems, ComparedRun } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Choice } from '@/app/_ui/filter-fields';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { ItemCard } from './item-card';

interface ItemsPanelProps {
  project: string;
  /** The first is the baseline. */
  runs: readonly ComparedRun[];
  verifiers: readonly string[];
  /** The first page without a filter. */
  first: ComparedItems;
  verifier: string | null;
  onVerifier: (verifier: string | null) => void;
}

const pageOf = ({ data, nextCursor }: ComparedItems) => ({ items: data, nextCursor });

/** The items by disagreement, regressed first, with the outputs of all runs. */
export function ItemsPanel({
  project,
  runs,
  verifiers,
  first,
  verifier,
  onVerifier,
}: ItemsPanelProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const input = {
    project,
    ids: runs.map(({ id }) => id),
    ...(verifier !== null && { verifier }),
  };
  const list = usePages({
    key: trpc.experiments.compareItems.queryKey(input),
    read: async (cursor, signal) =>
      pageOf(
        await trpcClient.experiments.compareItems.query(
          { ...input, ...(cursor !== null && { cursor }) },
          { signal },
        ),
      ),
    first: verifier === null ? pageOf(first) : null,
  });
  const items = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLOListElement>(null);
  useRowKeys(area, '[data-row]');
  return (
    <Panel
      title="Items"
      aside={
        <span className="flex flex-wrap items-center gap-3">
          <span className="text-12 text-ink-3">Regressed first, then improved</span>
          <span className="w-44">
            <Choice name="Verifier" value={verifier} values={verifiers} onChange={onVerifier} />
          </span>
        </span>
      }
    >
      {list.error ? (
        <ErrorPanel
          what="The items could not be read"
          works="Items already shown stay."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      {items.length === 0 ? (
        <Empty title={list.isFetching ? 'Loading items.' : 'The experiments have no item.'} />
      ) : (
        <ol
          ref={area}
          aria-label="Items"
          aria-busy={list.isPlaceholderData}
          className={list.isPlaceholderData ? 'opacity-60' : ''}
        >
          {items.map((item) => (
            <ItemCard
              key={`${item.itemId} ${item.verifier}`}
              project={project}
              item={item}
              runs={runs}
            />
          ))}
        </ol>
      )}
      <div className="p-4">
        <LoadMore
          shown={items.length}
          hasMore={list.hasNextPage}
          busy={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      </div>
    </Panel>
  );
}
