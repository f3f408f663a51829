import type { Changes } from '@/app/_trpc/outputs';

type Compared = Changes['verifiers'][number]['passRate'];

const points = (value: number): string => {
  const text = Math.abs(value * 100).toFixed(1);
  // A value rounded to zero has no sign.
  return `${Number(text) === 0 ? '' : value < 0 ? '−' : '+'}${text}`;
};

/** A change in percentage points; `word` only if its interval excludes zero. */
export function changeText({ difference, now, before }: Compared): {
  readonly text: string;
  readonly word: 'rose' | 'fell' | null;
} {
  if (difference === null)
    return {
      text: now.denominator + before.denominator === 0 ? '' : 'too few to compare',
      word: null,
    };
  const { value, low, high } = difference;
  return {
    text: `${points(value)} points (${points(low)} to ${points(high)})`,
    word: low > 0 ? 'rose' : high < 0 ? 'fell' : null,
  };
}

const actionWords: ReadonlyMap<string, string> = new Map([
  ['prompts.promote', 'Prompt version promoted'],
  ['thresholds.update', 'Threshold moved'],
  ['thresholds.undo', 'Threshold change undone'],
  ['verifiers.update', 'Verifier config changed'],
  ['settings.update', 'Settings changed'],
  ['settings.mission', 'Mission settings changed'],
  ['rules.update', 'Rule changed'],
  ['providers.put', 'Provider changed'],
  ['providers.delete', 'Provider deleted'],
  ['labels.policy', 'Labelling policy changed'],
  ['trust.settings', 'Trust settings changed'],
]);

/** The action in words; an unknown one by its own name. */
export function actionText(action: string): string {
  return actionWords.get(action) ?? action;
}
