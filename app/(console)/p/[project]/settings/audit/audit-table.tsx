'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { LoadMore } from '@/app/(console)/load-more';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { AuditPage } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { detailParts } from './audit-words';

const noCursor: string | null = null;

export function AuditTable({ project, first }: { project: string; first: AuditPage }) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    {
      queryKey: [...trpc.audit.list.queryKey({ project }), 'pages'],
      queryFn: ({ pageParam, signal }) =>
        trpcClient.audit.list.query(
          { project, ...(pageParam !== null && { cursor: pageParam }) },
          { signal },
        ),
      initialPageParam: noCursor,
      getNextPageParam: (page: AuditPage) => page.nextCursor,
      initialData: { pages: [first], pageParams: [noCursor] },
    },
  );
  const rows = data.pages.flatMap((page) => page.items);
  const { checkedAt, problem } = data.pages[0]?.chain ?? first.chain;
  return (
    <>
      <PageHead
        title="Audit"
        sub="Every change, who made it, and when. Entries are sealed: Assay detects a change to them."
      />
      {problem === null ? null : (
        <ErrorPanel
          what="The audit log does not match its seals"
          works="The list shows the entries as they are in the database."
          problem={{ message: problem, requestId: null, fields: {} }}
        />
      )}
      {error ? (
        <ErrorPanel
          what="The audit could not be read"
          works="Rows already shown stay."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <Panel title="Changes">
        {rows.length === 0 ? (
          <Empty title="Nothing has been changed yet." />
        ) : (
          <DataTable label="Changes" heads={['When', 'Who', 'Action', 'On', 'Detail']}>
            {rows.map((row) => (
              <Row key={row.id}>
                <NameCell>
                  <Moment at={row.at} />
                </NameCell>
                <Cell>
                  <VisibleText text={row.actor} />
                </Cell>
                <Cell mono>{row.action}</Cell>
                <Cell mono>{row.target === null ? '' : <VisibleText text={row.target} />}</Cell>
                <td className="min-w-72 px-4 py-1">
                  <Detail text={row.detail} />
                </td>
              </Row>
            ))}
          </DataTable>
        )}
      </Panel>
      <LoadMore
        shown={rows.length}
        hasMore={hasNextPage}
        busy={isFetchingNextPage}
        onMore={() => void fetchNextPage()}
      />
      {checkedAt === null ? null : (
        <p className="text-12 text-ink-3">
          Seals checked <Moment at={checkedAt} />
        </p>
      )}
    </>
  );
}

function Detail({ text }: { text: string }) {
  return (
    <span className="flex flex-wrap gap-x-3 [overflow-wrap:anywhere]">
      {detailParts(text).map(({ name, text: value }, at) => (
        <span key={at}>
          <span className="text-ink-3">{name}</span> <VisibleText text={value} />
        </span>
      ))}
    </span>
  );
}
