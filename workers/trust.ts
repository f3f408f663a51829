import { lookWhereDue } from '../server/trust';
import type { Ctx } from '../server/platform';
import type { PromptDefaults } from '../server/prompts';
import { poll } from '../server/queue';

export interface TrustOptions {
  readonly signal: AbortSignal;
  readonly prompts: PromptDefaults;
}

/**
 * So soon a change of a label, a setting, a version or an anchor run is found; what has not changed
 * costs a few index probes a project.
 */
const pollMs = 5_000;

/**
 * Finds trust states again where what they rest on has changed, until `signal` ends it. Any number
 * of workers may: a look makes none due for the others.
 */
export async function runTrust(ctx: Ctx, { signal, prompts }: TrustOptions): Promise<void> {
  await poll(ctx, {
    name: 'trust',
    signal,
    claim: async () => {
      await lookWhereDue(ctx, { prompts }, signal);
      return null;
    },
    idleMs: pollMs,
  });
}
