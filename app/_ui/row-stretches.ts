/** A range of rows by index: `from` is the first, `to` the one after the last. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The current end of a paginated list. */
export interface ListEnd {
  readonly hasMore: boolean;
  /** Called when scrolling approaches the end. */
  readonly onNear: () => void;
}

/**
 * A list of up to this many rows is rendered whole, so that the browser's own search finds every
 * row.
 */
export const drawnWhole = 200;
/** Rows rendered beyond each edge: more than one turn of the wheel scrolls during a render. */
const beyond = 32;
/** The edges move in steps, so that a small scroll rerenders nothing. */
const step = 16;

/**
 * The rows of a long list near its visible part.
 *
 * @param top of the first row, in pixels from the upper edge of the visible part; negative when it
 * is scrolled past
 * @param height of the visible part, and `rowHeight` of a row, in pixels
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
 * The rendered rows: those near the visible part, and the focused row with its neighbours, even far
 * outside: removing it would lose the focus, and j and k move from it to its neighbours.
 *
 * @param held the index of the focused row
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
 * The table's row count when not all rows are rendered: including the header, or -1 while unknown.
 */
export function rowCount(rows: number, end: ListEnd | undefined): number | undefined {
  if (rows <= drawnWhole) return undefined;
  return end?.hasMore === true ? -1 : rows + 1;
}
