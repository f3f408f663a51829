/**
 * Members and query parameters have short names: longer ones are not compared, which bounds the
 * cost.
 */
const longestCompared = 64;
/** Maximum number of names listed if none is similar. */
const maxListed = 10;
/** Maximum length of an unknown name repeated in the answer. */
const maxRepeated = 80;

/**
 * Spelling normalisation: `succesCriteria` and `success-criteria` are compared with
 * `success_criteria`.
 */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s.]/g, '');

/**
 * Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and
 * swaps of two adjacent characters. Callers bound the lengths.
 */
function distance(one: string, other: string): number {
  let [before, last] = [[] as number[], Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (row[j - 1] ?? 0) + 1,
        (last[j] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, row];
  }
  return last[other.length] ?? 0;
}

/**
 * The known name that `name` probably misspells: at most one edit for each three characters, and
 * three in total. Null if none is that similar.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > longestCompared) return null;
  const wanted = plain(name);
  let best: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const spelt = plain(candidate);
    const maxEdits = Math.min(
      3,
      Math.max(1, Math.floor(Math.max(spelt.length, wanted.length) / 3)),
    );
    if (Math.abs(spelt.length - wanted.length) > maxEdits) continue;
    const edits = distance(wanted, spelt);
    if (edits <= maxEdits && edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

/**
 * A name in a form that an answer may repeat: short, without control, bidirectional and unpaired
 * characters.
 */
export const shownName = (name: string): string =>
  name.slice(0, maxRepeated).replaceAll(/\p{C}/gu, '\uFFFD');

/**
 * The problem with an unknown name, as a predicate: suggests the most similar known name, or lists
 * the known names.
 */
export function unknownName(name: string, known: ReadonlySet<string>): string {
  const near = nearestName(name, known);
  if (near !== null) return `is not known; did you mean \`${near}\`?`;
  if (known.size === 0) return 'is not known; none is allowed here';
  const listed = [...known].slice(0, maxListed).map((each) => `\`${each}\``);
  const others = known.size > maxListed ? ` and ${known.size - maxListed} more` : '';
  return `is not known; the known names are ${listed.join(', ')}${others}`;
}
