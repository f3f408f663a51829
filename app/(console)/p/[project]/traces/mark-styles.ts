import type { MarkCount, TurnMark } from '@/app/_trpc/outputs';
import { wordOf } from '@/app/_ui/verdict-styles';

type MarkState = MarkCount['state'];

/** States that need a person first; pending ones come before skipped and passed ones. */
const worstFirst: readonly MarkState[] = [
  'failed',
  'quarantined',
  'needs_review',
  'inconclusive',
  'steered',
  'pending',
  'skipped',
  'passed',
];

export function worstOf(states: readonly MarkState[]): MarkState | null {
  return worstFirst.find((state) => states.includes(state)) ?? null;
}

/** `2 failed, 1 passed`, worst first; empty for none. */
export function countsText(marks: readonly MarkCount[]): string {
  return marks
    .toSorted((a, b) => worstFirst.indexOf(a.state) - worstFirst.indexOf(b.state))
    .map(({ state, count }) => `${count.toLocaleString('en')} ${wordOf(state).toLowerCase()}`)
    .join(', ');
}

/** `2 of 5 unsourced`; null if the verdict is not about figures. */
export function figuresText({
  figures,
  unsourced,
}: Pick<TurnMark, 'figures' | 'unsourced'>): string | null {
  if (figures === null) return null;
  if (figures === 0) return 'no figures';
  return unsourced
    ? `${unsourced} of ${figures} figures unsourced`
    : `${figures} ${figures === 1 ? 'figure' : 'figures'} sourced`;
}
