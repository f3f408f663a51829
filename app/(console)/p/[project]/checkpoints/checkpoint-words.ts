import type { StoredState, VerdictState } from '@/app/_ui/verdict-styles';
import type { CheckpointKind } from '@/server/domain';

export const checkpointName: Record<CheckpointKind, string> = {
  decomposition: 'Decomposition',
  'agent-output': 'Agent outputs',
  synthesis: 'Synthesis',
};

export interface AttemptStatus {
  readonly state: VerdictState;
  readonly word: string;
}

/** A RETRY is neither a pass nor a fail: the work will be retried. */
const statusByVerdict: ReadonlyMap<string, AttemptStatus> = new Map([
  ['PASS', { state: 'passed', word: 'PASS' }],
  ['RETRY', { state: 'needs_review', word: 'RETRY' }],
  ['FAIL', { state: 'failed', word: 'FAIL' }],
]);

interface Judged {
  readonly state: 'settled' | 'pending' | 'quarantined';
  readonly verdict: string | null;
  readonly outcome: Exclude<StoredState, 'quarantined' | 'pending'> | null;
}

/** The status of an attempt; without a verdict, it is that of its work. */
export function attemptStatus({ state, verdict, outcome }: Judged): AttemptStatus {
  if (state === 'pending') return { state: 'pending', word: 'Pending' };
  if (state === 'quarantined') return { state: 'inconclusive', word: 'Quarantined' };
  const known = statusByVerdict.get(verdict ?? '');
  if (known !== undefined) return known;
  return outcome === 'skipped'
    ? { state: 'skipped', word: 'Skipped' }
    : { state: 'inconclusive', word: 'Inconclusive' };
}

/** The stored state of an attempt. */
export const storedStateOf = ({ state, outcome }: Judged): StoredState =>
  state === 'settled' ? (outcome ?? 'inconclusive') : state;

interface Counted {
  readonly steps: number;
  readonly attempts: number;
  readonly pass: number;
  readonly retry: number;
  readonly fail: number;
  readonly undecided: number;
  readonly pending: number;
}

/** The checkpoint's step that needs attention first. */
export function worstOf({ pass, retry, fail, undecided }: Counted): AttemptStatus {
  if (fail > 0) return { state: 'failed', word: 'FAIL' };
  if (undecided > 0) return { state: 'inconclusive', word: 'Inconclusive' };
  if (retry > 0) return { state: 'needs_review', word: 'RETRY' };
  return pass > 0 ? { state: 'passed', word: 'PASS' } : { state: 'pending', word: 'Pending' };
}

/** `PASS, 2 attempts`; of several steps `3 of 4 PASS, 6 attempts`. */
export function stateText(counted: Counted): string {
  const { steps, attempts, pass } = counted;
  const attemptsText = attempts === steps ? '' : `, ${attempts.toLocaleString('en')} attempts`;
  return steps > 1
    ? `${pass} of ${steps} PASS${attemptsText}`
    : `${worstOf(counted).word}${attemptsText}`;
}

const dimensions: ReadonlyMap<string, string> = new Map([
  ['completeness', 'Completeness'],
  ['consistency', 'Consistency'],
  ['groundedness', 'Groundedness'],
  ['routability', 'Routability'],
]);

export const dimensionName = (name: string): string => dimensions.get(name) ?? name;

const steps: ReadonlyMap<string, string> = new Map([
  ['use', 'The output is used.'],
  ['retry_other_agent', 'Another agent is called.'],
  ['retry_same_agent', 'The same agent is called again, with another prompt.'],
  ['partial_with_warning', 'The request continues with a warning.'],
  ['abort_query', 'The request is aborted: this subgoal is critical.'],
]);

/** The next step after an agent's output, as a sentence. */
export function nextText(next: string | null, agent: string | null): string | null {
  if (next === null) return null;
  const sentence = steps.get(next) ?? next;
  return next === 'retry_other_agent' && agent !== null
    ? `Another agent is called: ${agent}.`
    : sentence;
}
