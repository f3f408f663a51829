'use client';

import { useRef } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { GatewayRoute, GatewaySessionPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { ListFrame } from '@/app/_ui/list-frame';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { useListMemory } from '@/app/(console)/use-list-memory';
import { SessionTable } from './session-table';

interface SessionListProps {
  project: string;
  first: GatewaySessionPage;
  routes: readonly GatewayRoute[];
}

export function SessionList({ project, first, routes }: SessionListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const input = { project, limit: 20 };
  const list = usePages({
    key: trpc.gateway.sessions.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.gateway.sessions.query(
        { ...input, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first,
  });
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const remember = useListMemory({
    name: `${project}/gateway`,
    area,
    ids: () => rows.map((row) => row.id),
  });
  return (
    <section aria-label="Sessions" className="grid gap-3">
      <h2>Sessions</h2>
      {list.error ? (
        <ErrorPanel
          what="Sessions could not be read"
          works="Rows already shown stay; calls still go through the gateway."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ListFrame area={area}>
        {rows.length > 0 ? (
          <SessionTable
            project={project}
            rows={rows}
            routes={routes}
            onOpen={remember}
            end={list.end}
          />
        ) : (
          <Empty title="No call recorded yet." />
        )}
      </ListFrame>
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </section>
  );
}
