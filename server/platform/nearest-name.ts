/**
 * Members and query parameters have short names: a longer one is compared with none, so that a
 * comparison stays cheap.
 */
const longestCompared = 64;
/** Names that are listed where none is near. */
const mostListed = 10;
/** An unknown name is repeated in the answer up to this many characters. */
const mostRepeated = 80;

/**
 * `succesCriteria` and `success-criteria` are as near to `success_criteria` as spelling makes them.
 */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s.]/g, '');

/**
 * Damerau–Levenshtein distance (optimal string alignment): insertions, deletions, substitutions and
 * swaps of two neighbouring characters. Callers bound the lengths.
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
 * The known name that `name` is probably a misspelling of: at most one edit for each three
 * characters, three at most. Null where none is so near.
 */
export function nearestName(name: string, known: Iterable<string>): string | null {
  if (name.length > longestCompared) return null;
  const wanted = plain(name);
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const spelt = plain(candidate);
    const most = Math.min(3, Math.max(1, Math.floor(Math.max(spelt.length, wanted.length) / 3)));
    if (Math.abs(spelt.length - wanted.length) > most) continue;
    const edits = distance(wanted, spelt);
    if (edits <= most && edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/**
 * A name as an answer may repeat it: short, without control, bidirectional and unpaired characters.
 */
export const shownName = (name: string): string =>
  name.slice(0, mostRepeated).replaceAll(/\p{C}/gu, '\uFFFD');

/**
 * What is wrong with a name that is not known, as a predicate of it: the known name that it is
 * nearest to, else the known names.
 */
export function unknownName(name: string, known: ReadonlySet<string>): string {
  const near = nearestName(name, known);
  if (near !== null) return `is not known; did you mean \`${near}\`?`;
  if (known.size === 0) return 'is not known; none is allowed here';
  const listed = [...known].slice(0, mostListed).map((each) => `\`${each}\``);
  const others = known.size > mostListed ? ` and ${known.size - mostListed} more` : '';
  return `is not known; the known names are ${listed.join(', ')}${others}`;
}
