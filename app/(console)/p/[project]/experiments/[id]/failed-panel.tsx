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

/** Why rows have no output. */
export function FailedPanel({ project, experiment }: { project: string; experiment: Experiment }) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const input = { project, id: experiment.id, state: 'failed', limit: 20 } as const;
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
      title="Failed rows"
      aside={
        <span className="text-12 text-ink-3">{plural(experiment.counts.failed, 'row')}</span>
      }
    >
      {list.error ? (
        <ErrorPanel
          what="The failed rows could not be read"
          works="The results above are complete."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <DataTable label="Failed rows" heads={['Item', 'Reason']}>
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
              <span className="[overflow-wrap:anywhere]">
                <VisibleText text={error ?? 'no reason was stored'} />
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
