import { refused } from '../platform';
import type { ProjectCtx } from './actor';

/**
 * When an event sent to a simulated project happened: its stated time replaces the time of arrival.
 * It dates its rows, and therefore its verdict's `created_at` and `settled_at`, the UTC day under
 * which both are counted, and every reader of days. Null in any other project, and without a stated
 * time: then the time of arrival counts.
 * @param path of the member with the time, for the error
 * @throws AssayError refused: a future time
 */
export function simulatedTime(
  ctx: Pick<ProjectCtx, 'simulated' | 'clock'>,
  path: string,
  statedTime: string | null | undefined,
): Date | null {
  if (!ctx.simulated || statedTime == null) return null;
  const at = new Date(statedTime);
  if (at > ctx.clock.now())
    throw refused(`${path}: must not be in the future`, [
      { path, message: 'must not be in the future' },
    ]);
  return at;
}
