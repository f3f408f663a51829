import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import type { SubjectDeps } from '../../verdicts';
import { chooseItems, formsOf, type ProbedItem } from './choose-items';
import type { ProbePlan } from './probe';
import { type ProbeBody, probeLimits } from './probe-input';

export interface PlanProbe extends ProbeBody {
  readonly verifier: string;
}

/**
 * Chooses the items of a probe and returns an upper bound of the cost of judging them. Calls no
 * model and stores nothing.
 * @throws AssayError not_found (no such verifier)
 */
export async function planProbe(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: PlanProbe,
): Promise<{ readonly plan: ProbePlan; readonly items: readonly ProbedItem[] }> {
  const { slug } = readVerifierName(input.verifier);
  const items = await chooseItems(ctx, deps, input);
  const repeats = repeatsOf(input);
  const estimates = items.map(({ estimate }) => estimate);
  const costUsd = estimates.reduce<number | null>(
    (sum, each) => (sum === null || each.costUsd === null ? null : sum + each.costUsd),
    0,
  );
  const plan: ProbePlan = {
    verifier: slug,
    probe: input.probe,
    items: items.length,
    labelled: items.filter(({ good, subjectKind }) => good !== null && subjectKind !== 'canary')
      .length,
    answers: items.length * repeats * formsOf[input.probe].length,
    refusal: null,
    judges: [...new Set(estimates.flatMap(({ judges }) => judges))],
    tokens: repeats * estimates.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: costUsd === null ? null : repeats * costUsd,
  };
  return {
    plan: {
      ...plan,
      refusal: whyNot(
        plan,
        input,
        estimates.find(({ judges }) => judges.length === 0)?.whyNone ?? null,
      ),
    },
    items,
  };
}

/**
 * Only repeatability and canary probes repeat a judgement; other probes judge each form once.
 * Repeatability measures how often a judge changes its decision by itself.
 */
export function repeatsOf({ probe, repeats }: Pick<ProbeBody, 'probe' | 'repeats'>): number {
  return probe === 'repeatability' || probe === 'canaries' ? repeats : 1;
}

function whyNot(
  plan: ProbePlan,
  { probe, repeats, budget_usd: budget }: PlanProbe,
  whyNone: string | null,
): string | null {
  if (probe === 'self_preference') return null;
  if (probe === 'repeatability' && repeats < 2)
    return 'one answer cannot be compared with itself: repeat at least twice';
  if (plan.items === 0) return whyNothing(plan);
  if (whyNone !== null) return `no judge is available: ${whyNone}`;
  if (plan.answers > probeLimits.answers)
    return `that would be ${plan.answers} verdicts; a probe has at most ${probeLimits.answers}`;
  if (budget !== null && plan.costUsd === null)
    return 'the price of a judge is unknown, so no budget can be applied: set its price';
  if (budget !== null && plan.costUsd !== null && plan.costUsd > budget)
    return `it may cost $${plan.costUsd.toFixed(4)}, more than the budget of $${budget}`;
  return null;
}

function whyNothing({ probe, verifier }: ProbePlan): string {
  if (probe === 'canaries')
    return `${verifier} asks no model, or has no work that is known to be bad`;
  const needed =
    { order: ' in two orders', length: ' with words that say nothing' }[
      probe as 'order' | 'length'
    ] ?? '';
  return `${verifier} has no verdict yet that a model could judge again${needed}`;
}
