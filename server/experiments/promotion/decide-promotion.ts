import { type ProjectCtx, requireScope } from '../../access';
import { refused } from '../../platform';
import type { GateVerdict, NotTried } from './gate-findings';
import type { PromotionMode, PromotionState } from './promotion';
import type { GateWord } from './promotion-input';

type Decided = Extract<PromotionState, 'promoted' | 'waiting' | 'refused' | 'forced'>;

/** The result of a request. Pure. One person cannot force a promotion that needs two. */
export function decidePromotion(
  mode: PromotionMode,
  verdict: GateVerdict | NotTried['verdict'],
  isForced: boolean,
): Decided {
  if (mode === 'require')
    return verdict === 'better' || verdict === 'not_worse' ? 'waiting' : 'refused';
  if (verdict !== 'worse') return 'promoted';
  return isForced ? 'forced' : 'refused';
}

/**
 * Selects the deciding trial among trials of the same two options, oldest first: the latest
 * conclusive one. A `worse` finding remains in effect until a trial with at least as many subjects
 * finds otherwise. This prevents promotion by repeating the trial on a few more subjects. Pure.
 * Null if there is none.
 */
export function decidingTrial<T extends { readonly verdict: GateVerdict; readonly items: number }>(
  trials: readonly T[],
): T | null {
  return trials.reduce<T | null>((deciding, next) => {
    if (deciding === null || isInconclusive(deciding)) return next;
    const outweighs =
      next.verdict === 'worse' || deciding.verdict !== 'worse' || next.items >= deciding.items;
    return !isInconclusive(next) && outweighs ? next : deciding;
  }, null);
}

const isInconclusive = ({ verdict }: { readonly verdict: GateVerdict }): boolean =>
  verdict === 'insufficient' || verdict === 'could_not_run';

/**
 * Reads the caller's instruction to the gate.
 * @throws AssayError forbidden (forced by a key without the scope `promote`, S-123), refused
 * (forced without a reason)
 */
export function readWord(
  ctx: Pick<ProjectCtx, 'actor'>,
  { force = false, reason = '' }: GateWord,
): { readonly isForced: boolean; readonly reason: string | null } {
  if (force) requireScope(ctx, 'promote', 'force');
  const text = reason.trim();
  if (force && text === '')
    throw refused('reason: is required', [
      { path: 'reason', message: 'is required to promote a version that is worse' },
    ]);
  return { isForced: force, reason: text === '' ? null : text };
}

/** The refusal, for people and programs, with the numbers that it is based on. */
export function promotionRefusal(
  what: string,
  mode: PromotionMode,
  { verdict, reasons }: { readonly verdict: string; readonly reasons: readonly string[] },
): Error {
  const needs =
    mode === 'require' && verdict !== 'worse'
      ? ' This project requires a trial on held-out labels that it did not lose.'
      : mode === 'advise'
        ? ' It can be forced with a reason.'
        : '';
  return refused(
    `the promotion gate refuses ${what}: ${reasons.join(' ')}${needs}`,
    reasons.map((message) => ({ path: 'gate', message })),
  );
}
