import { deriveOutcome } from '../domain';
import { kinds } from './registry';

/** What a person may rule on a verdict of the kind; nothing for a kind that is not known. */
export const listNativeVerdicts = (kind: string): readonly string[] =>
  kinds.get(kind)?.verdicts ?? [];

const sides: ReadonlyMap<string, string> = new Map([
  ['pass', 'passed'],
  ['passed', 'passed'],
  ['fail', 'failed'],
  ['failed', 'failed'],
]);

/**
 * A verdict as people and callers write it, in the kind's own words: `pass` of integrity is
 * `sourced`. Null where it is none of them.
 */
export function readNativeVerdict(kind: string, word: string): string | null {
  const own = listNativeVerdicts(kind);
  if (own.includes(word)) return word;
  const wanted = word.trim().toLowerCase();
  const side = sides.get(wanted);
  return (
    own.find((each) => each.toLowerCase() === wanted) ??
    own.findLast((each) => deriveOutcome(each) === side) ??
    null
  );
}
