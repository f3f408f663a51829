import { findVerifier, type Verifier } from '../../catalog';
import type { Ctx } from '../../platform';

/** @throws Error for a verifier that the project does not have */
export async function getVerifierOf(ctx: Ctx, projectId: string, slug: string): Promise<Verifier> {
  const found = await findVerifier(ctx, projectId, slug);
  if (found === null) throw new Error(`the project has no verifier "${slug}"`);
  return found;
}
