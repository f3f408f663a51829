import { deriveOutcome, type VerifierKind } from './verdict';

/**
 * The verdicts that each kind gives, in its own words, the best first (product.md 2). A total map:
 * a new kind cannot be forgotten.
 */
const nativeVerdicts: Record<VerifierKind, readonly string[]> = {
  turn: ['pass', 'steer'],
  task: ['pass', 'partial', 'fail'],
  consistency: ['consistent', 'inconsistent'],
  mission: ['pass', 'partial', 'fail'],
  code: ['PASS', 'FAIL'],
  decomposition: ['PASS', 'RETRY', 'FAIL'],
  'agent-output': ['PASS', 'RETRY', 'FAIL'],
  synthesis: ['PASS', 'RETRY', 'FAIL'],
  integrity: ['sourced', 'unsourced'],
};

const byKind: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(nativeVerdicts));

/** What a person may rule on a verdict of the kind; nothing for a kind that is not known. */
export function listNativeVerdicts(kind: string): readonly string[] {
  return byKind.get(kind) ?? [];
}

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

/**
 * Whether a verdict says that the subject was good: true, false, or null where it says neither (X-1
 * counts the first two only).
 */
export function truthOf(verdict: string | null): boolean | null {
  const outcome = deriveOutcome(verdict);
  if (outcome === 'passed') return true;
  return outcome === 'failed' ? false : null;
}
