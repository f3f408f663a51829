import { deriveOutcome } from '../domain';
import { kinds } from './registry';

/** The verdicts that a person may assign in this kind; empty for an unknown kind. */
export const listNativeVerdicts = (kind: string): readonly string[] =>
  kinds.get(kind)?.verdicts ?? [];

const sides: ReadonlyMap<string, string> = new Map([
  ['pass', 'passed'],
  ['passed', 'passed'],
  ['fail', 'failed'],
  ['failed', 'failed'],
]);

/**
 * The native verdict for a verdict as people and callers write it: `pass` of integrity is
 * `sourced`. Null if it is not a verdict of the kind.
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
