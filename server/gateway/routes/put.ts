import { eq, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { canonicalJson } from '../../domain';
import { checkSourcePattern } from '../../evaluators/sources';
import {
  checkModelAddress,
  checkSpecProviders,
  loadProviders,
  readModelSpec,
  notifyFollowers,
  wrongParameter,
} from '../../llm';
import { type AssayError, refused } from '../../platform';
import type { RouteSettings } from '../input';
import { checkRouteVerifier } from './check-verifier';
import { getRoute } from './list';
import { builtInRoutes, isAddress, resolveRoute } from './resolve';
import type { RouteView } from './view';

/** Every gateway process keeps all routes in memory. */
const routesMax = 100;

/**
 * Stores a route's settings, replacing all of them: omitted settings get their default, not the
 * previous value or the environment's. Storing equal settings changes nothing. The gateway in this
 * process applies the settings before this resolves.
 * @throws AssayError refused (an upstream that may not be called, is not a provider or is shared by
 * several, a verifier without a model, of an unknown provider or with invalid parameters, a
 * verifier that the route cannot use, too many routes)
 */
export async function putRoute(
  ctx: ProjectCtx,
  name: string,
  given: RouteSettings,
): Promise<RouteView> {
  const settings = {
    ...given,
    quality_verifier: { ...given.quality_verifier, model: modelOf(given) },
  };
  checkSources(settings);
  await checkUpstream(ctx, name, settings);
  const { model } = settings.quality_verifier;
  await checkSpecProviders(ctx, model === null ? [] : [['quality_verifier.model', model]]);
  if (settings.verify !== null) await checkRouteVerifier(ctx, settings.verify.verifier);
  const { gatewayRoutes } = schema;
  await ctx.db.transaction(async (tx) => {
    // Serializes concurrent requests, so that they cannot exceed the limit together.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`gateway routes ${ctx.projectId}`}, 0))`,
    );
    const existing = await tx
      .select()
      .from(gatewayRoutes)
      .where(eq(gatewayRoutes.projectId, ctx.projectId));
    const before = existing.find((each) => each.name === name);
    if (before === undefined && existing.length >= routesMax)
      throw refused(`a project has at most ${routesMax} routes; delete one first`);
    if (
      before !== undefined &&
      canonicalJson(JSON.stringify(before.settings)) === canonicalJson(JSON.stringify(settings))
    )
      return;
    const values = { settings, updatedBy: ctx.actor.label };
    await tx
      .insert(gatewayRoutes)
      .values({ projectId: ctx.projectId, name, ...values })
      .onConflictDoUpdate({
        target: [gatewayRoutes.projectId, gatewayRoutes.name],
        set: { ...values, updatedAt: sql`now()` },
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'gateway.put_route',
      target: name,
      detail: { ...settings },
    });
  });
  await notifyFollowers(ctx);
  return getRoute(ctx, name);
}

/**
 * The verifier's model; blank means none. @throws AssayError refused: parameters without a model
 */
function modelOf({ quality_verifier: verifier }: RouteSettings): string | null {
  const spec = verifier.model?.trim() ?? '';
  if (spec === '') return null;
  if (!/^[\x20-\x7e]+$/.test(spec))
    throw refuseField('quality_verifier.model', 'must have printable ASCII characters only');
  const { model, parameters } = readModelSpec(spec);
  if (model === '' || model.endsWith(':'))
    throw refuseField('quality_verifier.model', 'must name a model');
  const wrong = wrongParameter(parameters);
  if (wrong !== null) throw refuseField('quality_verifier.model', wrong);
  return spec;
}

/** @throws AssayError refused: an invalid pattern */
function checkSources({ integrity }: RouteSettings): void {
  for (const [at, block] of integrity.sources.blocks.entries()) {
    const wrong = block.by === 'pattern' ? checkSourcePattern(block.pattern) : null;
    if (wrong !== null) throw refuseField(`integrity.sources.blocks[${at}].pattern`, wrong);
  }
}

/** @throws AssayError refused */
async function checkUpstream(
  ctx: ProjectCtx,
  name: string,
  settings: RouteSettings,
): Promise<void> {
  const { upstream } = settings;
  const providers = await loadProviders(ctx, ctx.projectId);
  if (upstream !== null && isAddress(upstream)) {
    if (checkModelAddress(ctx, 'upstream', upstream).search !== '')
      throw refuseField('upstream', 'must not contain "?"');
    const keyGap = resolveRoute({ env: ctx.env, providers }, name, settings)?.keyGap ?? null;
    if (keyGap !== null) throw refuseField('upstream', keyGap.message);
    return;
  }
  if (providers.some((each) => each.name === (upstream ?? name))) return;
  if (upstream !== null)
    throw refuseField('upstream', `is neither a URL nor the name of a provider: "${upstream}"`);
  if (!builtInRoutes.some((each) => each === name))
    throw refuseField('upstream', `is required, because no provider has the name "${name}"`);
}

function refuseField(path: string, message: string): AssayError {
  return refused(`${path}: ${message}`, [{ path, message }]);
}
