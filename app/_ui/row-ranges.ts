/** A range of rows by index: `from` is the first, `to` the one after the last. */
export interface RowRange {
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
export const renderedWholeMax = 200;
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
): RowRange {
  const first = Math.floor(-top / rowHeight) - beyond;
  const last = Math.ceil((height - top) / rowHeight) + beyond;
  const from = Math.min(Math.max(0, Math.floor(first / step) * step), count);
  return { from, to: Math.min(Math.max(from, Math.ceil(last / step) * step), count) };
}

/**
 * The rendered rows: those near the visible part, and the focused row with its neighbours, even far
 * outside. Removing it would lose the focus, and j and k move from it to its neighbours.
 *
 * @param focusedIndex the index of the focused row
 */
export function renderedRows(
  count: number,
  near: RowRange,
  focusedIndex: number | null,
): RowRange[] {
  if (count <= renderedWholeMax) return [{ from: 0, to: count }];
  const visibleRange = { from: Math.min(near.from, count), to: Math.min(near.to, count) };
  if (focusedIndex === null || focusedIndex < 0 || focusedIndex >= count) return [visibleRange];
  const focusedRange = {
    from: Math.max(0, focusedIndex - 1),
    to: Math.min(count, focusedIndex + 2),
  };
  if (focusedRange.to < visibleRange.from) return [focusedRange, visibleRange];
  if (focusedRange.from > visibleRange.to) return [visibleRange, focusedRange];
  return [
    {
      from: Math.min(focusedRange.from, visibleRange.from),
      to: Math.max(focusedRange.to, visibleRange.to),
    },
  ];
}

/**
 * The table's row count when not all rows are rendered: including the header, or -1 while unknown.
 */
export function rowCount(rows: number, end: ListEnd | undefined): number | undefined {
  if (rows <= renderedWholeMax) return undefined;
  return end?.hasMore === true ? -1 : rows + 1;
}
