import { type ProjectCtx, simulatedTime } from '../access';
import { refused } from '../platform';

/**
 * When a label was given, according to the caller; null means now. Only a simulated project accepts
 * a time, since a back-dated label would count as older evidence than it is.
 * @throws AssayError refused (`created_at`: not a simulated project, or a future time)
 */
export function labelledAt(
  ctx: Pick<ProjectCtx, 'simulated' | 'clock'>,
  claimedTime: string | null | undefined,
): Date | null {
  if (claimedTime != null && !ctx.simulated) {
    throw refused('created_at: must be left out', [
      { path: 'created_at', message: 'must be left out: only a simulated project accepts it' },
    ]);
  }
  return simulatedTime(ctx, 'created_at', claimedTime);
}
