'use client';

import Link from 'next/link';
import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Experiment } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { ErrorPanel, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { plural } from '../experiment-words';

interface FailedPanelProps {
  project: string;
  experiment: Experiment;
  state: 'failed' | 'lost';
}

const titles = { failed: 'Failed rows', lost: 'Lost rows' } as const;

/** Why rows have no output. */
export function FailedPanel({ project, experiment, state }: FailedPanelProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const input = { project, id: experiment.id, state, limit: 20 };
  const list = usePages({
    key: trpc.experiments.rows.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.experiments.rows.query(
        { ...input, ...(cursor !== null && { cursor, limit: 200 }) },
        { signal },
      ),
    first: null,
  });
  const rows = list.pages.flatMap((page) => page.items);
  const { datasetSlug: slug } = experiment;
  return (
    <Panel
      title={titles[state]}
      aside={<span className="text-12 text-ink-3">{plural(experiment.counts[state], 'row')}</span>}
    >
      {list.error ? (
        <ErrorPanel
          what={`${titles[state]} could not be read`}
          works="The results above are complete."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <DataTable label={titles[state]} heads={['Item', 'Reason']}>
        {rows.map(({ itemId, repetition, error }) => (
          <Row key={`${itemId} ${repetition}`}>
            <NameCell>
              <Link
                href={`/p/${project}/datasets/${slug}/items/${encodeURIComponent(itemId)}`}
                prefetch={false}
                className="[overflow-wrap:anywhere] underline"
              >
                <VisibleText text={itemId} />
              </Link>
              {experiment.repetitions > 1 ? `, repetition ${repetition}` : ''}
            </NameCell>
            <Cell>
              <span className="inline-block min-w-64 [overflow-wrap:anywhere] whitespace-normal">
                <VisibleText text={error ?? 'No reason recorded'} />
              </span>
            </Cell>
          </Row>
        ))}
      </DataTable>
      <div className="p-4 empty:hidden">
        <LoadMore
          shown={rows.length}
          hasMore={list.hasNextPage}
          busy={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      </div>
    </Panel>
  );
}
