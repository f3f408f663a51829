import type { ProjectCtx } from '../../access';
import type { SliceName } from './judge-promotion';

/**
 * Slices that the trust settings name for a verifier, or else for all verifiers; empty if there are
 * none.
 */
export async function findRequiredSlices(
  ctx: ProjectCtx,
  verifier: string,
): Promise<readonly SliceName[]> {
  const rows = await ctx.sql<{ required_slices: readonly SliceName[] }[]>`
    select required_slices from trust_settings where project_id = ${ctx.projectId} and verifier_slug in (${verifier}, '')
    order by verifier_slug desc limit 1`;
  return rows[0]?.required_slices ?? [];
}
