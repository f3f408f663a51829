import type { ProjectCtx } from '../../access';
import { checkSpecProviders } from '../../llm';
import type { PlanTrial } from './plan-trial';
import { judgesOf } from './seats';

/**
 * The judges that a trial names must be of known providers.
 * @throws AssayError refused, naming the field
 */
export async function checkJudges(ctx: ProjectCtx, input: PlanTrial): Promise<void> {
  const named = [
    ['judge', input.judge],
    ['against.judge', input.against?.judge],
  ] as const;
  await checkSpecProviders(
    ctx,
    named.flatMap(([path, judge]) => (judgesOf(judge ?? null) ?? []).map((spec) => [path, spec] as const)),
  );
}
