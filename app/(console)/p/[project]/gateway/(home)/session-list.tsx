'use client';

import { useEffect, useRef } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { GatewayRoute, GatewaySessionPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Empty, ErrorPanel } from '@/app/_ui/panel';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';
import { recallList, rememberList } from '../../verdicts/list-memory';
import { SessionTable } from './session-table';

interface SessionListProps {
  project: string;
  first: GatewaySessionPage;
  routes: readonly GatewayRoute[];
  everyMs: number;
}

export function SessionList({ project, first, routes, everyMs }: SessionListProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const input = { project, limit: 20 };
  const list = usePages({
    key: trpc.gateway.sessions.queryKey(input),
    read: (cursor, signal) => trpcClient.gateway.sessions.query({ ...input, ...(cursor !== null && { cursor }) }, { signal }),
    first,
    everyMs,
  });
  const rows = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  const memoryName = `${project}/gateway`;
  useEffect(() => {
    const memory = recallList(memoryName);
    if (!memory?.at || memory.search !== window.location.search) return;
    area.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(memory.at)}"]`)?.focus();
  }, [memoryName]);
  const remember = (id: string) => rememberList(memoryName, { search: window.location.search, ids: rows.map((row) => row.id), at: id });
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
      <div ref={area} className="bg-surface border-line rounded-8 border">
        {rows.length > 0 ? (
          <SessionTable project={project} rows={rows} routes={routes} onOpen={remember} />
        ) : (
          <Empty title="No call has left a row yet." />
        )}
      </div>
      <LoadMore shown={rows.length} hasMore={list.hasNextPage} busy={list.isFetchingNextPage} onMore={() => void list.fetchNextPage()} />
    </section>
  );
}
