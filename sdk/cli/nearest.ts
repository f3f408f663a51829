/**
 * Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and
 * swaps of neighbours. Quadratic, since the names of flags and commands are short.
 */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const [last = [], before = []] = [rows[i - 1], rows[i - 2]];
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1),
        isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.[other.length] ?? 0;
}

/** The known name of which `name` is probably a misspelling, or null. */
export function nearest(name: string, known: readonly string[]): string | null {
  if (name.length > 64) return null;
  const near = known
    .map((each) => ({ each, edits: distance(name.toLowerCase(), each) }))
    .filter(({ each, edits }) => edits <= Math.min(3, Math.max(1, Math.floor(each.length / 3))))
    .toSorted((one, other) => one.edits - other.edits);
  return near[0]?.each ?? null;
}
