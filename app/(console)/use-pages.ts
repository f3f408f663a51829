'use client';

import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useTopicReads } from './live-provider';
import { joinHead, type Paged, type Pages } from './page-join';

interface PagesIn<Page extends Paged> {
  /** Key of the list with its filters. */
  readonly key: QueryKey;
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page>;
  /** The server-rendered first page, if it has the same filters. */
  readonly first: Page | null;
  /**
   * Set for a list that may become long: beyond a few pages only the beginning is reloaded, and new
   * rows are put before the rest.
   */
  readonly idOf?: (item: Page['items'][number]) => string;
}

const noCursor: string | null = null;
/** A list with more pages than this is not reloaded as a whole. */
const readWhole = 4;
/** Most pages of new rows put before a long list; with more at once it starts over. */
const headPages = 20;
const tryAgainMs = 200;

/**
 * A paginated list that reloads when its data changes (`live-reads.ts`). tRPC's own infinite
 * options would add a field that no procedure accepts.
 */
export function usePages<Page extends Paged>({ key, read, first, idOf }: PagesIn<Page>) {
  const client = useQueryClient();
  const queryKey = [...key, 'pages'];
  const isLong = (data: Pages<Page> | undefined): boolean =>
    idOf !== undefined && (data?.pages.length ?? 0) > readWhole;
  const isShort = ({
    state,
  }: {
    readonly state: { readonly data: Pages<Page> | undefined };
  }): boolean => !isLong(state.data);
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey,
      queryFn: ({ pageParam, signal }) => read(pageParam, signal),
      initialPageParam: noCursor,
      getNextPageParam: (page: Page) => page.nextCursor,
      placeholderData: keepPreviousData,
      refetchOnMount: isShort,
      refetchOnWindowFocus: isShort,
      refetchOnReconnect: isShort,
      ...(first !== null && { initialData: { pages: [first], pageParams: [noCursor] } }),
    }),
  );
  const { data, hasNextPage, isFetching, fetchNextPage } = query;

  const untilRead = async (): Promise<void> => {
    while (client.isFetching({ queryKey, exact: true }) > 0)
      await new Promise((resolve) => setTimeout(resolve, tryAgainMs));
  };
  const waits = useRef(false);
  /**
   * Waits for the page being loaded: reloading everything would cancel its request, and nothing
   * would repeat it.
   */
  const refreshAll = async (): Promise<void> => {
    if (waits.current) return;
    waits.current = true;
    await untilRead();
    waits.current = false;
    await client.invalidateQueries({ queryKey });
  };
  const refreshHead = useRef(async () => {});
  useEffect(() => {
    refreshHead.current = async () => {
      const known = client.getQueryData<Pages<Page>>(queryKey);
      if (idOf === undefined || known === undefined) return;
      const heads = await readHeads(read, known, idOf);
      // A page being loaded is appended to the pages that were there when it was requested.
      await untilRead();
      client.setQueryData<Pages<Page>>(queryKey, (now) => {
        const firstPage = { pages: heads.slice(0, 1), pageParams: [noCursor] };
        return now === undefined ? now : (joinHead(now, heads, idOf) ?? firstPage);
      });
    };
  });
  const refresh = () => {
    if (isLong(client.getQueryData<Pages<Page>>(queryKey)))
      void refreshHead.current().catch(() => undefined);
    else void refreshAll();
  };
  useTopicReads(queryKey, refresh);

  // Repeated when no request is running: a request during a reload would be dropped.
  const onNear = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, fetchNextPage]);
  const end = useMemo(() => ({ hasMore: hasNextPage, onNear }), [hasNextPage, onNear]);
  return { ...query, pages: data?.pages ?? [], refresh, end };
}

/** Loads the first pages again, as many as needed to join the known ones. */
async function readHeads<Page extends Paged>(
  read: PagesIn<Page>['read'],
  known: Pages<Page>,
  idOf: (item: Page['items'][number]) => string,
): Promise<readonly Page[]> {
  const heads: Page[] = [];
  const { signal } = new AbortController();
  for (let cursor = noCursor; heads.length < headPages; ) {
    const head = await read(cursor, signal);
    heads.push(head);
    cursor = head.nextCursor;
    if (cursor === null || joinHead(known, heads, idOf) !== null) break;
  }
  return heads;
}
