'use client';

import { infiniteQueryOptions, keepPreviousData, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';

interface PagesIn<Page> {
  /** Of the list with its filters. */
  readonly key: QueryKey;
  readonly read: (cursor: string | null, signal: AbortSignal) => Promise<Page>;
  /** What the server has rendered with, where the filters are still those. */
  readonly first: Page | null;
  /** Read again so often while the page is looked at; for what no live event tells. */
  readonly everyMs?: number;
}

const noCursor: string | null = null;

/** A list that is read page by page. tRPC's own infinite options would add a field that no procedure takes. */
export function usePages<Page extends { readonly nextCursor: string | null }>({ key, read, first, everyMs }: PagesIn<Page>) {
  const client = useQueryClient();
  const queryKey = [...key, 'pages'];
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey,
      queryFn: ({ pageParam, signal }) => read(pageParam, signal),
      initialPageParam: noCursor,
      getNextPageParam: (page: Page) => page.nextCursor,
      placeholderData: keepPreviousData,
      // What was read on an earlier visit is shown, and read again at once: no event tells that it has changed.
      ...(everyMs !== undefined && { refetchInterval: everyMs, staleTime: 0 }),
      ...(first !== null && { initialData: { pages: [first], pageParams: [noCursor] } }),
    }),
  );
  return { ...query, pages: query.data?.pages ?? [], refresh: () => void client.invalidateQueries({ queryKey }) };
}
