import type { InfiniteData } from '@tanstack/react-query';

export interface Paged {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** The pages of a list that were read so far, newest rows first. */
export type Pages<Page> = InfiniteData<Page, string | null>;

/**
 * What a list begins with now, put before what was read of it earlier. Pages are cut by keyset, so
 * only the first one grows: rows that it had already are taken as they read now, and where the
 * first page ended it ends still.
 *
 * @param heads read just now, from the newest row on, each page going on where the one before ended
 * @returns null where they do not reach what was read before: between the two something is missing
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
  // What was read lies behind the first page too, where that is short: there it is no news.
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
