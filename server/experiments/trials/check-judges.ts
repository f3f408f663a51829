import type { ProjectCtx } from '../../access';
import { checkJudgeFamilies, checkSpecProviders } from '../../llm';
import type { PlanTrial } from './plan-trial';
import { judgesOf } from './judge-list';

/**
 * Checks that the judges of a trial are of known providers, and jury members of known families.
 * @throws AssayError refused, naming the field
 */
export async function checkJudges(ctx: ProjectCtx, input: PlanTrial): Promise<void> {
  const named = [
    ['judge', input.judge],
    ['against.judge', input.against?.judge],
  ] as const;
  const judges = named.map(([path, judge]) =>
    (judgesOf(judge ?? null) ?? []).map((spec) => [path, spec] as const),
  );
  await checkSpecProviders(ctx, judges.flat());
  checkJudgeFamilies(judges.flatMap(([, ...members]) => members));
}
