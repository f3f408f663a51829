import type { VerifierComparison } from '@/app/_trpc/outputs';
import { minSampleSize, pText } from '@/app/_ui/rate';
import { plural, countText } from '../experiment-words';

export type Answered = Pick<
  VerifierComparison,
  'verifier' | 'experiment' | 'difference' | 'pAdjusted' | 'items' | 'itemsNeeded'
>;

/** Below it, a difference is unlikely to be chance. */
const significance = 0.05;

export type AnswerState = 'better' | 'worse' | 'unclear' | 'unpaired';

/** The result of the comparison, by its adjusted p and the sign of its difference. */
export function stateOfAnswer({ difference, pAdjusted }: Answered): AnswerState {
  if (difference === null || pAdjusted === null) return 'unpaired';
  if (pAdjusted >= significance || difference.value === 0) return 'unclear';
  return difference.value > 0 ? 'better' : 'worse';
}

/** `4.0`, `−1.5`: points of a rate. */
export function pointsText(value: number): string {
  const text = Math.abs(value * 100).toFixed(1);
  // A value rounded to zero has no sign.
  return `${value < 0 && Number(text) > 0 ? '−' : ''}${text}`;
}

/** The items that both runs decided. */
export const pairsOf = ({ improved, regressed, same }: Answered['items']): number =>
  improved + regressed + same;

/**
 * One sentence with the answer: `refund-policy: 4.0 points better than the baseline (95% without
 * adjustment: 1.0 to 7.0), p 0.010 after Holm; 12 items improved, 4 regressed.`
 *
 * @param run the name of the compared run if there are several
 */
export function answerOf(comparison: Answered, run: string | null = null): string {
  const { verifier, difference, pAdjusted, items } = comparison;
  const about = run === null ? verifier : `${verifier}, ${run}`;
  const state = stateOfAnswer(comparison);
  if (difference === null || pAdjusted === null)
    return `${about}: no item was passed or failed in both runs.`;
  const p = `p ${pText(pAdjusted)} after Holm`;
  const counts = `${plural(items.improved, 'item')} improved, ${countText(items.regressed)} regressed`;
  const measured = amountText(comparison, difference);
  if (state === 'better' || state === 'worse')
    return `${about}: ${measured ?? state} than the baseline${intervalText(comparison)}, ${p}; ${counts}.`;
  const differenceText = measured === null ? '' : ` ${measured}${intervalText(comparison)}, ${p};`;
  return `${about}: the data show no clear difference from the baseline.${sentence(`${differenceText} ${counts} of ${countText(pairsOf(items))}.`)}${neededText(comparison)}`;
}

const sentence = (text: string): string => ` ${text.trim()}`;

/** Null under 20 pairs, where only counts are shown. */
function amountText(
  { items }: Answered,
  { value }: NonNullable<Answered['difference']>,
): string | null {
  if (pairsOf(items) < minSampleSize) return null;
  if (value === 0) return 'No difference';
  return `${pointsText(Math.abs(value))} points ${value > 0 ? 'better' : 'worse'}`;
}

function intervalText({ difference, items }: Answered): string {
  if (pairsOf(items) < minSampleSize || difference === null) return '';
  const { low, high } = difference;
  return low === null || high === null
    ? ''
    : ` (95% without adjustment: ${pointsText(low)} to ${pointsText(high)})`;
}

function neededText({ itemsNeeded: { thisDifference, fivePoints } }: Answered): string {
  if (thisDifference !== null)
    return ` About ${plural(thisDifference, 'item')} would be needed to find a difference of this size.`;
  if (fivePoints !== null)
    return ` About ${plural(fivePoints, 'item')} would be needed to find a difference of 5 points.`;
  return '';
}

const order: Record<AnswerState, number> = { worse: 0, better: 1, unclear: 2, unpaired: 3 };

/** Clear answers first, regressions before improvements. */
export const byClarity = (comparisons: readonly VerifierComparison[]): VerifierComparison[] =>
  comparisons.toSorted((a, b) => order[stateOfAnswer(a)] - order[stateOfAnswer(b)]);
