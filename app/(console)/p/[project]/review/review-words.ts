import { rateText } from '@/app/_ui/rate';
import type { ReviewItem } from '@/app/_trpc/outputs';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import type { ReviewAnswer, ReviewQueue } from '@/server/labels/input';
import type { Outcome, Rate } from '@/server/domain';
import { kindViews } from '@/server/verifiers/view';

/** Why an item is in the queue, in a word and in a sentence. */
export const queueWords: Record<ReviewQueue, { readonly name: string; readonly why: string }> = {
  must_see: {
    name: 'Required',
    why: 'The verifier requested a person, or found something critical.',
  },
  contested: { name: 'Contested', why: 'Blind votes disagree.' },
  uncertain: { name: 'Uncertain', why: 'Near its threshold, or low confidence.' },
  disagreement: { name: 'Disagreement', why: 'Another verifier, judge or report disagrees.' },
  audit: { name: 'Audit', why: 'Drawn at random, so that rates represent all verdicts.' },
};

export const answerWords: Record<
  ReviewAnswer,
  { readonly name: string; readonly state: VerdictState; readonly key: string }
> = {
  pass: { name: 'Pass', state: 'passed', key: '1' },
  fail: { name: 'Fail', state: 'failed', key: '2' },
  unsure: { name: 'Cannot tell', state: 'skipped', key: '3' },
};

/**
 * Whether a ruling contradicts the verifier. Every definite ruling contradicts an inconclusive
 * verdict. For other outcomes, such as a steered call, the server decides.
 */
export function overrules(answer: ReviewAnswer, outcome: Outcome): boolean {
  if (answer === 'unsure') return false;
  if (outcome === 'inconclusive') return true;
  return outcome === (answer === 'pass' ? 'failed' : 'passed');
}

/** `14/17`, from 20 on `82.4% (65.3–92.0%), 14/17`; without overlap there is no rate. */
export function agreementText({ numerator, denominator }: Rate): string {
  const { counts, rate, interval } = rateText(numerator, denominator);
  if (denominator === 0) return 'no overlap yet';
  return rate === null ? counts : `${rate} (${interval}), ${counts}`;
}

/** One line of the task or of the answer; without text, the kind of work. */
export function itemTitle({ title, kind }: Pick<ReviewItem, 'title' | 'kind'>): string {
  return title === '' ? `${kindViews.get(kind)?.label ?? kind} without text` : title;
}

/** The time for one item and for all open ones, at this person's pace of today. */
export function paceText(paceSeconds: number, open: number): string {
  const each = `${paceSeconds < 10 ? paceSeconds.toFixed(1) : Math.round(paceSeconds)} s per item`;
  const minutes = Math.ceil((paceSeconds * open) / 60);
  if (open === 0) return each;
  return `${each}, about ${minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`} left`;
}

/**
 * Today's progress: items ruled on, out of those and the open ones. With filters there is no such
 * share, since the rulings are those of all items.
 */
export function progressText(today: number, open: number, isFiltered: boolean): string {
  if (isFiltered)
    return `${open.toLocaleString('en')} open here, ${today.toLocaleString('en')} ruled on today`;
  return open === 0
    ? `${today.toLocaleString('en')} ruled on today, none open`
    : `${today.toLocaleString('en')} of ${(today + open).toLocaleString('en')} today`;
}
