import type { ProjectCtx } from '../../access';
import { newId } from '../../platform';
import { outputTurnId } from '../runs/experiment';
import { runItemOf } from '../runs/run-item';
import { checkVerifiers } from '../runs/start-experiment';
import { type OutputDeps, storeOutput } from '../runs/store-output';
import type { VerifyOutputIn } from './playground-input';

/** The item that outputs of the playground name in their metadata. */
const playgroundItem = 'playground';

/**
 * Stores an output as a turn with the origin `experiment`, which is excluded from all live numbers,
 * with the work of its verifiers. Its verdicts come like those of any turn.
 * @throws AssayError refused (a verifier that reads no turn), unavailable
 */
export async function verifyOutput(
  ctx: ProjectCtx,
  deps: OutputDeps,
  { item, output, model, costUsd, verifiers }: Omit<VerifyOutputIn, 'project'>,
): Promise<{ readonly turnId: string }> {
  await checkVerifiers(ctx, verifiers);
  const now = ctx.clock.now();
  const experimentId = newId('ply', now);
  const ordinal = 0;
  const row = { ordinal, repetition: 1, item: runItemOf(playgroundItem, item, []) };
  await storeOutput(
    ctx,
    deps,
    { experimentId, verifiers: [...new Set(verifiers)], row },
    {
      output: JSON.stringify(output),
      tools: null,
      model,
      costUsd,
      tokens: null,
      startedAt: null,
      endedAt: now,
    },
  );
  return { turnId: outputTurnId(experimentId, ordinal) };
}
