import type { ProjectCtx } from '../../access';
import {
  findVerifier,
  listBuiltInVerifiers,
  listCustomVerifiers,
  servesRoutes,
  takesTurns,
  type Verifier,
} from '../../catalog';
import { refused } from '../../platform';

/**
 * Checks the verifier that a route names.
 * @throws AssayError refused: no such verifier, an archived one, or one that reads no turn
 */
export async function checkRouteVerifier(ctx: ProjectCtx, slug: string): Promise<void> {
  const found = await findVerifier(ctx, ctx.projectId, slug);
  const problem = found === null ? await unknown(ctx, slug) : await unusableReason(ctx, found);
  if (problem === null) return;
  const path = 'verify.verifier';
  throw refused(`${path}: ${problem}`, [{ path, message: problem }]);
}

const unknown = async (ctx: ProjectCtx, slug: string): Promise<string> =>
  `names no verifier of this project: "${slug}"; ${await usableVerifiers(ctx)}`;

async function unusableReason(ctx: ProjectCtx, verifier: Verifier): Promise<string | null> {
  const { slug, custom, targets, kind } = verifier;
  if (custom !== null && custom.archivedAt !== null)
    return `"${slug}" is archived; restore it with PUT /v1/verifiers/${slug}`;
  if (!takesTurns(verifier))
    return `"${slug}" reads no turn, only: ${targets.join(', ')}; ${await usableVerifiers(ctx)}`;
  if (servesRoutes(verifier)) return null;
  const setting = kind.readsTurns ? 'integrity.mode' : 'quality_verifier.model';
  return `"${slug}" has a setting of its own on a route; set "${setting}" instead`;
}

const LISTED_MAX = 20;

async function usableVerifiers(ctx: ProjectCtx): Promise<string> {
  const all = [...listBuiltInVerifiers(), ...(await listCustomVerifiers(ctx, ctx.projectId))];
  const slugs = all.filter(servesRoutes).map(({ slug }) => slug);
  return `use one of: ${slugs.slice(0, LISTED_MAX).join(', ')}`;
}
