import type { ProjectCtx } from '../../access';
import { estimateSubjects, type SubjectDeps } from '../../verdicts';
import type { AnchorPlan } from './anchor';
import { anchorLimits } from './anchor-input';
import { type AnchorItem, drawAnchors } from './draw-anchors';

/**
 * Draws a set and returns its content with an upper bound of the cost of judging it once. Calls no
 * model and stores nothing.
 * @throws AssayError not_found (no such verifier)
 */
export async function planAnchors(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: { readonly verifier: string; readonly items: number; readonly seed: number },
): Promise<AnchorPlan> {
  const { verifier, labelled, items } = await drawAnchors(ctx, input);
  const good = items.filter((item) => item.good).length;
  const estimate = await estimateAnchors(ctx, deps, verifier, items);
  return {
    verifier,
    labelled,
    items: { good, bad: items.length - good },
    refusal: anchorRefusal(verifier, items.length),
    ...estimate,
  };
}

/** Why there are too few subjects for a set; null if there are enough. */
export function anchorRefusal(verifier: string, items: number): string | null {
  const { minItems } = anchorLimits;
  if (items >= minItems) return null;
  return `${items} labelled ${items === 1 ? 'subject' : 'subjects'} of ${verifier} can be judged again, and a set needs ${minItems}: rule on verdicts, or send outcomes`;
}

/** Upper bound of the cost of judging items once. Verifiers of turns call no model. */
export async function estimateAnchors(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  verifier: string,
  items: readonly Pick<AnchorItem, 'subjectKind' | 'subjectId'>[],
): Promise<Pick<AnchorPlan, 'judges' | 'whyNone' | 'tokens' | 'costUsd'>> {
  const subjectIds = items
    .filter(({ subjectKind }) => subjectKind !== 'turn')
    .map(({ subjectId }) => subjectId);
  if (subjectIds.length === 0) return { judges: [], whyNone: null, tokens: 0, costUsd: 0 };
  const found = await estimateSubjects(ctx, deps, {
    projectId: ctx.projectId,
    verifier,
    pinned: null,
    subjectIds,
  });
  const judgedSeries = [...found.values()].filter(({ asks }) => asks);
  return {
    judges: [...new Set(judgedSeries.flatMap(({ judges }) => judges))],
    whyNone: judgedSeries.find(({ judges }) => judges.length === 0)?.whyNone ?? null,
    tokens: judgedSeries.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: judgedSeries.reduce<number | null>(
      (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
      0,
    ),
  };
}
