/**
 * The visible lines of a span tree. Rows come in tree order, each with its depth: descendants
 * follow their row, deeper.
 */
export interface TreeRow {
  readonly id: string;
  readonly depth: number;
}

/** More lines are shown only on request. */
export const rowsMax = 500;

export function hasChildren(rows: readonly TreeRow[], index: number): boolean {
  return (rows[index + 1]?.depth ?? -1) > (rows[index]?.depth ?? 0);
}

/** Indices of the rows without a collapsed ancestor. */
export function visibleRows(rows: readonly TreeRow[], folded: ReadonlySet<string>): number[] {
  const shown: number[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  rows.forEach((row, index) => {
    if (row.depth > hiddenBelow) return;
    hiddenBelow = folded.has(row.id) ? row.depth : Number.POSITIVE_INFINITY;
    shown.push(index);
  });
  return shown;
}

/**
 * The initially collapsed rows: none in a small tree; in a large one everything below the last
 * depth at which it still fits.
 */
export function foldedAtFirst(rows: readonly TreeRow[], max = rowsMax): Set<string> {
  if (rows.length <= max) return new Set();
  const atDepth: number[] = [];
  for (const { depth } of rows) atDepth[depth] = (atDepth[depth] ?? 0) + 1;
  let fits = atDepth[0] ?? 0;
  let deepest = 0;
  while (fits + (atDepth[deepest + 1] ?? 0) <= max && deepest + 1 < atDepth.length)
    fits += atDepth[++deepest] ?? 0;
  return new Set(
    rows
      .filter((row, index) => row.depth >= deepest && hasChildren(rows, index))
      .map((row) => row.id),
  );
}

/** Index of the parent row, or null. */
export function parentOf(rows: readonly TreeRow[], index: number): number | null {
  const depth = rows[index]?.depth ?? 0;
  for (let at = index - 1; at >= 0; at--) if ((rows[at]?.depth ?? 0) < depth) return at;
  return null;
}

/** `folded` without the ancestors of this row. */
export function expandTo(
  rows: readonly TreeRow[],
  folded: ReadonlySet<string>,
  index: number,
): ReadonlySet<string> {
  const open = new Set(folded);
  for (let at = parentOf(rows, index); at !== null; at = parentOf(rows, at))
    open.delete(rows[at]?.id ?? '');
  return open.size === folded.size ? folded : open;
}
