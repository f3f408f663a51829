'use client';

import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { DatasetDetail, DatasetDiffPage, ItemDifference } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Empty, ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { changesText, plural } from '../../dataset-words';
import { inputLine } from '../../item-text';
import { StateDiff } from '../state-diff';
import { VersionSelect } from '../version-select';

interface DiffPanelProps {
  project: string;
  dataset: DatasetDetail;
  from: number;
  to: number;
  /** Null if it was loaded for other versions. */
  first: DatasetDiffPage | null;
  onChange: (place: { from?: number; to?: number }) => void;
}

/** The items that differ in two versions. */
export function DiffPanel({ project, dataset, from, to, first, onChange }: DiffPanelProps) {
  const { slug, version: latest } = dataset;
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const input = { project, slug, from, to, limit: 20 };
  const list = usePages<DatasetDiffPage>({
    key: trpc.datasets.diff.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.datasets.diff.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first,
  });
  const versions = dataset.versions.map(({ version }) => version);
  const rows = list.pages.flatMap((page) => page.items);
  const head = list.pages[0];
  return (
    <Panel
      title="Differences"
      aside={
        <span className="flex flex-wrap items-center gap-2">
          <VersionSelect
            name="From"
            versions={[...versions, 0]}
            latest={latest}
            value={from}
            onChange={(version) => onChange({ from: version })}
          />
          <VersionSelect
            name="To"
            versions={versions}
            latest={latest}
            value={to}
            onChange={(version) => onChange({ to: version })}
          />
        </span>
      }
    >
      {list.error ? (
        <ErrorPanel
          what="The differences could not be read"
          works="The list of versions stays."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : head === undefined ? (
        <Skeleton className="m-4 h-24" />
      ) : (
        <div
          aria-busy={list.isPlaceholderData}
          className={list.isPlaceholderData ? 'opacity-60' : ''}
        >
          <p className="text-ink-2 px-4 pt-2" role="status">
            From version {from} to version {to}: {changesText(head)}.
            {head.hidden > 0
              ? ` ${plural(head.hidden, 'difference')} of held-out items ${head.hidden === 1 ? 'is' : 'are'} hidden.`
              : ''}
          </p>
          {rows.length === 0 ? (
            <Empty title={from === to ? 'Choose two versions.' : 'No visible item differs.'} />
          ) : (
            <ul aria-label="Differences" className="grid">
              {rows.map((row) => (
                <Difference key={row.id} row={row} />
              ))}
            </ul>
          )}
          {rows.length === 0 ? null : (
            <div className="px-4 py-2">
              <LoadMore
                shown={rows.length}
                hasMore={list.hasNextPage}
                busy={list.isFetchingNextPage}
                onMore={() => void list.fetchNextPage()}
              />
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

const signs = { added: '+', changed: '~', removed: '−' } as const;

function Difference({ row }: { row: ItemDifference }) {
  const item = row.after ?? row.before;
  const title = item === null ? row.id : inputLine(item.content);
  return (
    <li className="border-line border-b last:border-0">
      <details open={row.change === 'changed'}>
        <summary className="cursor-pointer truncate px-4 py-2">
          <span aria-hidden="true" className="font-mono font-semibold">
            {signs[row.change]}
          </span>{' '}
          <span className="text-ink-2">{row.change}</span> <VisibleText text={title} />
        </summary>
        <StateDiff before={row.before} after={row.after} label={`Changes of: ${title}`} />
      </details>
    </li>
  );
}
