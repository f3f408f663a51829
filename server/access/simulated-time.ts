import { refused } from '../platform';
import type { ProjectCtx } from './actor';

/**
 * When something happened that is sent to a simulated project: the time that it bears, in place of
 * the moment of its arrival. It is what its rows are dated by, and so its verdict's `created_at`
 * and `settled_at`, the UTC day that both are counted under, and whatever reads days. Null in every
 * other project, and where nothing is said: then the moment of arrival counts.
 * @param path of the member that says it, for the error
 * @throws AssayError refused: a time that is still to come
 */
export function simulatedTime(
  ctx: Pick<ProjectCtx, 'simulated' | 'clock'>,
  path: string,
  said: string | null | undefined,
): Date | null {
  if (!ctx.simulated || said == null) return null;
  const at = new Date(said);
  if (at > ctx.clock.now())
    throw refused(`${path}: must not be in the future`, [
      { path, message: 'must not be in the future' },
    ]);
  return at;
}
