import { familiesOf } from './family';
import { isTag, normaliseModel } from './normalise';

/** The same few names are compared for each verdict. */
const compared = new Map<string, boolean>();
const comparedMax = 10_000;

const size = /^\d+(?:\.\d+)?(?:x\d+(?:\.\d+)?)?[bm]$/;

/**
 * Whether two names denote one model, however they are spelled. A name without a size (`llama3`) is
 * treated as any size of its model: the host chooses the size and may change it.
 */
export function sameModel(a: string, b: string): boolean {
  const key = `${a}\n${b}`;
  const known = compared.get(key);
  if (known !== undefined) return known;
  if (compared.size >= comparedMax) compared.clear();
  const isSame = compare(a, b);
  compared.set(key, isSame);
  return isSame;
}

function compare(a: string, b: string): boolean {
  return spellingsOf(a).some((one) => spellingsOf(b).some((two) => isOneModel(one, two)));
}

/**
 * A provider's own name may precede a model of an unknown family: `house:acme-large` may be
 * `acme-large`.
 */
function spellingsOf(model: string): readonly string[] {
  const nameAfterColon = model.slice(model.indexOf(':') + 1);
  return familiesOf(model).length > 0 || nameAfterColon === model || isTag(nameAfterColon)
    ? [model]
    : [model, nameAfterColon];
}

function isOneModel(a: string, b: string): boolean {
  const [one, two] = [normaliseModel(a), normaliseModel(b)];
  if (one === two) return true;
  // Makers that are the only host of their models use a separate name for each model:
  // `gemini-1.5-flash-8b` is not `gemini-1.5-flash`.
  if (one.startsWith('gemini') || one.startsWith('gpt')) return false;
  const [wordsOne, wordsTwo] = [one.split('-'), two.split('-')];
  if (wordsOne.some((word) => size.test(word)) === wordsTwo.some((word) => size.test(word)))
    return false;
  const without = (words: readonly string[]) => words.filter((word) => !size.test(word)).join('-');
  return familiesOf(a).length > 0 && without(wordsOne) === without(wordsTwo);
}

/** Whether two names belong to one family; null if a name does not indicate its family. */
export function sameFamily(a: string, b: string): boolean | null {
  const [one, two] = [familiesOf(a), familiesOf(b)];
  if (one.length === 0 || two.length === 0) return null;
  return one.some((family) => two.includes(family));
}
