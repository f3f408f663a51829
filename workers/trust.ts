import { recheckTrust } from '../server/trust';
import type { Ctx } from '../server/platform';
import type { PromptDefaults } from '../server/prompts';
import { poll } from '../server/queue';

export interface TrustOptions {
  readonly signal: AbortSignal;
  readonly prompts: PromptDefaults;
}

/**
 * Maximum delay until a change of a label, a setting, a version or an anchor run is detected;
 * checking an unchanged project costs a few index probes.
 */
const pollMs = 5_000;

/**
 * Recomputes trust states whose inputs have changed, until `signal` fires. Any number of workers
 * may run this: one worker's pass does not trigger another's.
 */
export async function runTrust(ctx: Ctx, { signal, prompts }: TrustOptions): Promise<void> {
  await poll(ctx, {
    name: 'trust',
    signal,
    claim: async () => {
      await recheckTrust(ctx, { prompts }, signal);
      return null;
    },
    idleMs: pollMs,
  });
}
