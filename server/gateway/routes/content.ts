import { z } from 'zod';
import { schema } from '../../../db';
import { listLiveKeys } from '../../access';
import { KeyScope } from '../../access/input';
import { listSealedProviders } from '../../llm';
import { ProviderKind } from '../../llm/input';
import { MaskingSettings } from '../../masking/input';
import type { Ctx } from '../../platform';
import { trustGaps, trustStateNames, unbound } from '../../thresholds';
import { listPromoted } from '../../prompts';
import { listProjectIntegrity } from '../../verdicts';

const StoredAuthority = z
  .object({
    enforced: z.boolean(),
    standings: z
      .array(
        z.object({
          verifier: z.string(),
          judge: z.string(),
          inForce: z.boolean(),
          state: z.enum(trustStateNames),
          gaps: z
            .array(
              z.object({
                what: z.enum(trustGaps),
                text: z.string(),
                have: z.number().nullable(),
                need: z.number().nullable(),
              }),
            )
            .readonly(),
        }),
      )
      .readonly(),
  })
  .default(unbound);

/**
 * Everything needed to serve the calls of all projects. It is also stored on disk, so it contains
 * no plaintext secrets: API keys are hashed, and provider keys are encrypted with ASSAY_SECRET.
 */
export const SnapshotContent = z.object({
  /** Version of all tables below: the same stamp means the same content. */
  stamp: z.string(),
  keys: z.array(
    z.object({
      id: z.string(),
      projectId: z.string(),
      secretHash: z.string(),
      scopes: z.array(KeyScope),
      // A file of an earlier release has no expiry; no key expired then.
      expiresMs: z.number().nullable().default(null),
    }),
  ),
  projects: z.array(
    z.object({
      projectId: z.string(),
      slug: z.string(),
      enabled: z.boolean(),
      derivedCountsAsSourced: z.boolean(),
      masking: MaskingSettings.default(null),
      // A file of an earlier release has neither field; nothing was enforced then.
      integrityAuthority: StoredAuthority,
      turnAuthority: StoredAuthority,
    }),
  ),
  providers: z.array(
    z.object({
      projectId: z.string(),
      name: z.string(),
      kind: ProviderKind,
      baseUrl: z.string(),
      sealedKey: z.string().nullable(),
      models: z.array(z.string()),
      prices: z.array(z.object({ model: z.string(), input: z.number(), output: z.number() })),
      enabled: z.boolean(),
    }),
  ),
  routes: z.array(z.object({ projectId: z.string(), name: z.string(), settings: z.unknown() })),
  prompts: z.array(
    z.object({
      projectId: z.string(),
      slug: z.string(),
      version: z.number(),
      body: z.string().nullable(),
    }),
  ),
});
export type SnapshotContent = z.infer<typeof SnapshotContent>;

/**
 * Changes whenever the content changes. Of keys only the expiry is edited, and project names are
 * not, so counts and sums of hashes suffice; other rows change `xmin` with every edit. Trust
 * states are rewritten at every evaluation, so they are compared by a hash of their content.
 */
export async function readStamp(ctx: Pick<Ctx, 'sql'>): Promise<string> {
  const [row] = await ctx.sql<{ stamp: string }[]>`
    select concat_ws(' ',
      (select count(*) || ':' || coalesce(sum(hashtextextended(concat_ws(' ', id, extract(epoch from expires_at)), 0)), 0) from api_keys where revoked_at is null),
      (select count(*) || ':' || coalesce(sum(hashtextextended(id || slug, 0)), 0) from projects),
      (select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from project_settings),
      (select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from verifier_versions where slug in ('integrity', 'turn')),
      (select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from trust_settings),
      (select count(*) || ':' || coalesce(sum(hashtextextended(concat_ws(' ', project_id, verifier_slug, version, judge, in_force, state), 0)), 0)
        from trust_states where verifier_slug in ('integrity', 'turn')),
      (select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from providers),
      (select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from gateway_routes),
      (select count(*) || ':' || coalesce(sum(xmin::text::bigint), 0) from prompt_labels where label = 'production')) as stamp`;
  return row?.stamp ?? '';
}

/** @param stamp read before the content, so that the next stamp shows later changes */
export async function loadContent(
  ctx: Pick<Ctx, 'sql' | 'db'>,
  stamp: string,
  promptSlugs: readonly string[],
): Promise<SnapshotContent> {
  const { projectId, name, settings } = schema.gatewayRoutes;
  const [keys, projects, providers, routes, prompts] = await Promise.all([
    listLiveKeys(ctx),
    listProjectIntegrity(ctx),
    listSealedProviders(ctx),
    ctx.db.select({ projectId, name, settings }).from(schema.gatewayRoutes),
    listPromoted(ctx, promptSlugs),
  ]);
  return {
    stamp,
    keys: keys.map((key) => ({ ...key, scopes: [...key.scopes] })),
    projects: [...projects],
    providers: [...providers],
    routes,
    prompts: [...prompts],
  };
}
