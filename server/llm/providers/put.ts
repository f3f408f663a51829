import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit, sealSecret } from '../../access';
import { conflict, refused } from '../../platform';
import type { ProviderKind, PutProvider } from '../input';
import { checkModelAddress } from './check-address';
import { notifyFollowers } from './followers';
import { asProvider, baseUrlOf, placeOfKey, type Provider } from './provider';

const providersMax = 20;

/**
 * Creates or updates a provider by its name. Its key is sealed for the origin of its address:
 * another origin, or another kind, requires the key again (S-45). Repeating the call changes only
 * the update time. A gateway in this process uses the provider as soon as this resolves.
 * @throws AssayError refused (address, key, name), conflict (too many), unavailable (no
 * ASSAY_SECRET)
 */
export async function putProvider(
  ctx: ProjectCtx,
  name: string,
  input: PutProvider,
): Promise<Provider> {
  const { kind } = input;
  const url = checkBaseUrl(ctx, kind, input.base_url ?? null);
  const { providers } = schema;
  const row = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from projects where id = ${ctx.projectId} for update`);
    const existing = await tx
      .select()
      .from(providers)
      .where(eq(providers.projectId, ctx.projectId));
    const before = existing.find((each) => each.name === name);
    if (before === undefined && existing.length >= providersMax)
      throw conflict(`a project has at most ${providersMax} providers; delete one first`);
    const keeps =
      before !== undefined && before.kind === kind && new URL(before.baseUrl).origin === url.origin;
    const sealedKey = sealKey(
      ctx,
      name,
      url,
      input,
      keeps ? before.sealedKey : null,
      before?.sealedKey != null && !keeps,
    );
    const values = {
      kind,
      baseUrl: url.href.replace(/\/$/, ''),
      origin: url.origin,
      sealedKey,
      models: [...new Set(input.models)],
      enabled: input.enabled,
      prices:
        input.prices?.map(({ model, usd_per_million: usd }) => ({ model, ...usd })) ??
        before?.prices ??
        [],
    };
    const [stored] = await tx
      .insert(providers)
      .values({ projectId: ctx.projectId, name, createdBy: ctx.actor.label, ...values })
      .onConflictDoUpdate({
        target: [providers.projectId, providers.name],
        set: { ...values, updatedAt: sql`now()` },
      })
      .returning();
    if (stored === undefined) throw new Error('a provider was not stored');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'providers.put',
      target: name,
      detail: {
        kind,
        origin: url.origin,
        models: values.models,
        enabled: input.enabled,
        prices: values.prices,
        newKey: typeof input.api_key === 'string',
      },
    });
    return stored;
  });
  await notifyFollowers(ctx);
  return asProvider(ctx, row);
}

/** @throws AssayError refused: a forbidden address, or one that contains more than an address */
function checkBaseUrl(ctx: ProjectCtx, kind: ProviderKind, given: string | null): URL {
  const text = baseUrlOf(kind, given);
  const no = (message: string) => refused(`base_url: ${message}`, [{ path: 'base_url', message }]);
  if (text === '') throw no('is required for a compatible server');
  const url = checkModelAddress(ctx, 'base_url', text);
  if (url.search !== '') throw no('must not contain "?"; put a key into `api_key`');
  return url;
}

/** The key to store: the given one, or the previous one if it may stay. */
function sealKey(
  ctx: ProjectCtx,
  name: string,
  url: URL,
  input: PutProvider,
  storedKey: string | null,
  dropped: boolean,
): string | null {
  const no = (message: string) => refused(`api_key: ${message}`, [{ path: 'api_key', message }]);
  if (typeof input.api_key === 'string')
    return sealSecret(ctx, placeOfKey(ctx.projectId, name, url.origin), input.api_key);
  if (input.api_key === undefined) {
    if (storedKey !== null) return storedKey;
    if (dropped) throw no('is required again, because the address or the kind changed');
  }
  if (input.kind !== 'openai_compatible') throw no('is required');
  return null;
}

/** The condition for the project's provider of this name. */
export function ownProvider(ctx: ProjectCtx, name: string) {
  return and(eq(schema.providers.projectId, ctx.projectId), eq(schema.providers.name, name));
}
