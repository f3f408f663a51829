'use client';

import { useRouter } from 'next/navigation';
import { useRef } from 'react';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { may } from '@/app/(console)/pages';
import { useCreate } from '@/app/(console)/use-create';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { DatasetPage, Project } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { ListFrame } from '@/app/_ui/list-frame';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { DatasetDialog } from '../dataset-dialog';
import { ItemsCommand } from '../items-command';
import { DatasetTable } from './dataset-table';

export function DatasetList({ project, first }: { project: Project; first: DatasetPage }) {
  const { slug } = project;
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const router = useRouter();
  const mayWrite = may(project, 'labels.write');
  const [isCreating, setCreating] = useCreate(mayWrite);
  const input = { project: slug, limit: 50 };
  const list = usePages({
    key: trpc.datasets.list.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.datasets.list.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first,
  });
  const live = useLive(slug, () => undefined);
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${slug}/datasets`,
    area,
    ids: () => rows.map((row) => row.slug),
  });
  return (
    <PageBody>
      <PageHead title="Datasets" sub="Named lists of items that experiments run on.">
        <div className="flex flex-wrap items-center gap-4">
          <LiveMark state={live} readAt={list.dataUpdatedAt} />
          {mayWrite ? (
            <Button variant="primary" onClick={() => setCreating(true)}>
              Create dataset
            </Button>
          ) : null}
        </div>
      </PageHead>
      {list.error ? (
        <ErrorPanel
          what="Datasets could not be read"
          works="Rows already shown stay; running experiments continue."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ListFrame area={area}>
        {rows.length > 0 ? (
          <DatasetTable rows={rows} project={slug} onOpen={remember} />
        ) : (
          <Empty title="There is no dataset yet.">
            <p>
              A dataset contains questions with expected answers. Experiments run a prompt or a
              service on every item and verify the outputs, so that two versions can be compared.
            </p>
            <ItemsCommand project={project} slug="refunds" name="Refunds" />
          </Empty>
        )}
      </ListFrame>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
      {isCreating ? (
        <DatasetDialog
          project={slug}
          onDone={(dataset) => router.push(`/p/${slug}/datasets/${dataset}`)}
          onClose={() => setCreating(false)}
        />
      ) : null}
    </PageBody>
  );
}
