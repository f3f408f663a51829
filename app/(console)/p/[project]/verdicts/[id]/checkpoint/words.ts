import type { VerdictState } from '@/app/_ui/verdict-styles';

/** The codes of a checkpoint's verdict, in words. */

export interface Band {
  readonly word: string;
  readonly state: VerdictState;
}

/**
 * Bands of a score 0..1, as in the examples of the prompts (SOAR-3): guidance, without effect on
 * the verdict.
 */
export function bandOf(score: number): Band {
  if (score >= 0.9) return { word: 'full', state: 'passed' };
  if (score >= 0.7) return { word: 'sound', state: 'passed' };
  return score >= 0.5 ? { word: 'thin', state: 'needs_review' } : { word: 'poor', state: 'failed' };
}

const options: ReadonlyMap<string, string> = new Map([
  ['self', 'Option A, by itself'],
  ['adversarial', 'Option B, adversarial'],
]);

export const optionText = (option: string): string => options.get(option) ?? option;

const steps: ReadonlyMap<string, string> = new Map([
  ['use', 'Use it'],
  ['retry_other_agent', 'Call another agent'],
  ['retry_same_agent', 'Call the same agent with another prompt'],
  ['partial_with_warning', 'Continue with a warning: a part is missing'],
  ['abort_query', 'Abort the request: the subgoal is critical'],
]);

export const stepText = (next: string, agent: string | null): string =>
  `${steps.get(next) ?? next}${agent === null ? '' : `: ${agent}`}`;

export const claimStyles = {
  supported: { state: 'passed', word: 'supported' },
  unsupported: { state: 'failed', word: 'unsupported' },
  undecided: { state: 'inconclusive', word: 'undecided' },
} as const satisfies Record<string, { readonly state: VerdictState; readonly word: string }>;

const means: ReadonlyMap<string, string> = new Map([
  ['figures', 'by its figures'],
  ['quote', 'by what it quotes'],
  ['text', 'by its words'],
  ['judge', 'by the judge'],
  ['caller', 'according to the caller'],
]);

export const meansText = (by: string): string => means.get(by) ?? `by ${by}`;
