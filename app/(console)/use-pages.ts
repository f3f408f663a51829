'use client';

import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useTold } from './live-provider';
import { joinHead, type Paged, type Pages } from './page-join';

interface PagesIn<Page extends Paged> {
  /** Of the list with its filters. */
  readonly key: QueryKey;
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page>;
  /** What the server has rendered with, where the filters are still those. */
  readonly first: Page | null;
  /**
   * Of a list that may become long: of more than a few pages only the beginning is read again, and
   * what is new is put before the rest.
   */
  readonly idOf?: (item: Page['items'][number]) => string;
}

const noCursor: string | null = null;
/** A list of more pages than these is not read again whole. */
const readWhole = 4;
/**
 * So many pages of new rows are put before a long list; where more came at once it begins again.
 */
const headPages = 20;
const tryAgainMs = 200;

/**
 * A list that is read page by page, and again when what it shows was told (`live-reads.ts`). tRPC's
 * own infinite options would add a field that no procedure takes.
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
   * After the page that is being read: reading all again would end that, and no one would ask for
   * it again.
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
      // A page that is being read is put behind the pages of the moment at which it was asked for.
      await untilRead();
      client.setQueryData<Pages<Page>>(queryKey, (now) => {
        const begun = { pages: heads.slice(0, 1), pageParams: [noCursor] };
        return now === undefined ? now : (joinHead(now, heads, idOf) ?? begun);
      });
    };
  });
  const refresh = () => {
    if (isLong(client.getQueryData<Pages<Page>>(queryKey)))
      void refreshHead.current().catch(() => undefined);
    else void refreshAll();
  };
  useTold(queryKey, refresh);

  // Anew once nothing is read any more: what is asked for while the list is read again is not taken
  // up.
  const onNear = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [hasNextPage, isFetching, fetchNextPage]);
  const end = useMemo(() => ({ hasMore: hasNextPage, onNear }), [hasNextPage, onNear]);
  return { ...query, pages: data?.pages ?? [], refresh, end };
}

/** The first pages again, as many as it takes until they join those that are known. */
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
