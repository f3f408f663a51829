/** Rows of a list by their places in it: `from` is the first, `to` the one after the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where a list that is read page by page ends for now. */
export interface ListEnd {
  readonly hasMore: boolean;
  /** Called while it comes near in scrolling. */
  readonly onNear: () => void;
}

/** Up to so many rows all are drawn, and the browser's own search finds them. */
export const drawnWhole = 200;
/**
 * Drawn beyond each edge of what is seen: more than a turn of a wheel moves in the time in which
 * they are drawn.
 */
const beyond = 32;
/** Edges move in steps, so that a small movement draws nothing. */
const step = 16;

/**
 * Which rows of a long list are near what is seen.
 *
 * @param top of the first row, in pixels from the upper edge of what is seen; negative when it is
 * scrolled past
 * @param height of what is seen, and `rowHeight` of a row, in pixels
 */
export function nearRows(
  count: number,
  { top, height, rowHeight }: { top: number; height: number; rowHeight: number },
): Stretch {
  const first = Math.floor(-top / rowHeight) - beyond;
  const last = Math.ceil((height - top) / rowHeight) + beyond;
  const from = Math.min(Math.max(0, Math.floor(first / step) * step), count);
  return { from, to: Math.min(Math.max(from, Math.ceil(last / step) * step), count) };
}

/**
 * What is drawn: the rows near what is seen, and the row that has the focus with its neighbours,
 * wherever it stands: a row that is taken away takes the focus with it, and j and k go from it to
 * its neighbours.
 *
 * @param held the place of the row with the focus
 */
export function drawnRows(count: number, near: Stretch, held: number | null): Stretch[] {
  if (count <= drawnWhole) return [{ from: 0, to: count }];
  const seen = { from: Math.min(near.from, count), to: Math.min(near.to, count) };
  if (held === null || held < 0 || held >= count) return [seen];
  const kept = { from: Math.max(0, held - 1), to: Math.min(count, held + 2) };
  if (kept.to < seen.from) return [kept, seen];
  if (kept.from > seen.to) return [seen, kept];
  return [{ from: Math.min(kept.from, seen.from), to: Math.max(kept.to, seen.to) }];
}

/**
 * What a table says of its length where not all rows are drawn: with its head, or -1 while no one
 * knows how many there are.
 */
export function rowCount(rows: number, end: ListEnd | undefined): number | undefined {
  if (rows <= drawnWhole) return undefined;
  return end?.hasMore === true ? -1 : rows + 1;
}
