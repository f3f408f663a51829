import { type ProjectCtx, simulatedTime } from '../access';
import { refused } from '../platform';

/**
 * When a label was given, according to its caller; null: now. A simulated project accepts it; any
 * other refuses it, since a back-dated label would count as older evidence than it is.
 * @throws AssayError refused (`created_at`: not a simulated project, or a future time)
 */
export function saidAt(
  ctx: Pick<ProjectCtx, 'simulated' | 'clock'>,
  said: string | null | undefined,
): Date | null {
  if (said != null && !ctx.simulated) {
    throw refused('created_at: only a simulated project takes it', [
      { path: 'created_at', message: 'must be left out' },
    ]);
  }
  return simulatedTime(ctx, 'created_at', said);
}
