/** Words of names and of sentences, normalized for comparison. */

const PARTS_MAX = 12;
const SHORTEST = 3;
/** A prefix of at least this length matches the word: `temp`, `disk`. */
const ABBREVIATED = 4;
const NAME_LENGTH_MAX = 80;

/**
 * Parts of a name in lower case: `free_gb` has `free` and `gb`, `feelsLike` has `feels` and `like`.
 */
export function splitName(name: string): readonly string[] {
  return wordsOf(name.slice(0, NAME_LENGTH_MAX).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')).slice(
    0,
    PARTS_MAX,
  );
}

/** In lower case, without figures and signs. */
export function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

/** Number of parts of a name among the words, in singular or plural, or as a prefix (`temp`). */
export function countNamed(parts: readonly string[], words: readonly string[]): number {
  return parts.filter((part) => part.length >= SHORTEST && words.some((word) => isSame(part, word)))
    .length;
}

function isSame(part: string, word: string): boolean {
  if (word.length < SHORTEST) return false;
  const [name, said] = [singular(part), singular(word)];
  return (
    name === said ||
    (name.length >= ABBREVIATED && said.startsWith(name)) ||
    (said.length > ABBREVIATED && name.startsWith(said))
  );
}

function singular(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:[sx]|[cs]h)es$/u.test(word)) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
