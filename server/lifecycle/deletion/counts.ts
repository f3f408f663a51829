/** Numbers of deleted rows by table; omits zeros. */
export type RowCounts = Readonly<Record<string, number>>;

export function sumRowCounts(parts: readonly RowCounts[]): RowCounts {
  const sums = new Map<string, number>();
  for (const part of parts) {
    for (const [table, rows] of Object.entries(part))
      if (rows > 0) sums.set(table, (sums.get(table) ?? 0) + rows);
  }
  return Object.fromEntries(sums);
}
