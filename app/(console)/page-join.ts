import type { InfiniteData } from '@tanstack/react-query';

export interface Paged {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** The loaded pages of a list, newest rows first. */
export type Pages<Page> = InfiniteData<Page, string | null>;

/**
 * Puts the current beginning of a list before the rows loaded earlier. Pages are cut by keyset, so
 * only the first one grows: its old rows are replaced by their current versions, and its end does
 * not move.
 *
 * @param heads just loaded, from the newest row on, each page continuing the previous one
 * @returns null when they do not reach the earlier rows: some are missing in between
 */
export function joinHead<Page extends Paged>(
  known: Pages<Page>,
  heads: readonly Page[],
  idOf: (item: Page['items'][number]) => string,
): Pages<Page> | null {
  const [first, ...rest] = known.pages;
  const read = heads.flatMap((page) => page.items);
  const [newest] = heads;
  if (first === undefined || newest === undefined) return null;
  const now = new Map(read.map((item) => [idOf(item), item]));
  const meets = first.items.some((item) => now.has(idOf(item)));
  if (!meets) return null;
  const before = new Set(first.items.map(idOf));
  const items = [
    ...read.filter((item) => !before.has(idOf(item))),
    ...first.items.map((item) => now.get(idOf(item)) ?? item),
  ];
  // A short first page may also contain rows of later pages: they are not new.
  const behind = new Set(rest.flatMap((page) => page.items.map(idOf)));
  return {
    ...known,
    pages: [
      {
        ...newest,
        items: items.filter((item) => !behind.has(idOf(item))),
        nextCursor: first.nextCursor,
      },
      ...rest,
    ],
  };
}
