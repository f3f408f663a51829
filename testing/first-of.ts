/**
 * Rows whose tests take seconds each, such as those that start a compiler: the first `count` rows
 * of each group, or all of them in the long form (`npm run test:long`).
 */
export function firstOf<Row>(
  count: number,
  rows: readonly Row[],
  groupOf: (row: Row) => unknown = () => null,
): readonly Row[] {
  if (process.env.ASSAY_LONG === '1') return rows;
  const taken = new Map<unknown, number>();
  return rows.filter((row) => {
    const before = taken.get(groupOf(row)) ?? 0;
    taken.set(groupOf(row), before + 1);
    return before < count;
  });
}
