import { asc, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import type { ProjectCtx } from '../../access';
import { loadProviders, type ProviderAccess } from '../../llm';
import { RouteSettings } from '../input';
import { defaultSettings } from './default-settings';
import { builtInRoutes, resolveRoute } from './resolve';

/** A route in the console and the API. */
export interface RouteView {
  readonly name: string;
  readonly source: 'project' | 'provider' | 'environment';
  /** All settings, including defaults. */
  readonly settings: RouteSettings;
  readonly api: 'openai' | 'anthropic';
  /** Null if the provider that the route names no longer exists. */
  readonly baseUrl: string | null;
  /** The provider whose key is used if a client sends none; null if none. */
  readonly provider: string | null;
  readonly updatedAt: Date | null;
  readonly updatedBy: string | null;
}

type RouteRow = typeof schema.gatewayRoutes.$inferSelect;

/**
 * All routes of the project by name: stored routes, those of its providers, and the built-in ones.
 */
export async function viewRoutes(ctx: ProjectCtx): Promise<RouteView[]> {
  const { gatewayRoutes } = schema;
  const [rows, providers] = await Promise.all([
    ctx.db
      .select()
      .from(gatewayRoutes)
      .where(eq(gatewayRoutes.projectId, ctx.projectId))
      .orderBy(asc(gatewayRoutes.name)),
    loadProviders(ctx, ctx.projectId),
  ]);
  const stored = new Map(rows.map((row) => [row.name, row]));
  const names = new Set([...stored.keys(), ...providers.map(({ name }) => name), ...builtInRoutes]);
  return [...names].sort().map((name) => asView(ctx, providers, name, stored.get(name) ?? null));
}

function asView(
  ctx: ProjectCtx,
  providers: readonly ProviderAccess[],
  name: string,
  row: RouteRow | null,
): RouteView {
  const resolved = resolveRoute({ env: ctx.env, providers }, name, row?.settings ?? null);
  const routeColumns = {
    name,
    updatedAt: row?.updatedAt ?? null,
    updatedBy: row?.updatedBy ?? null,
  };
  if (resolved !== null) {
    const { source, settings, api, baseUrl, provider } = resolved;
    return { ...routeColumns, source, settings, api, baseUrl, provider: provider?.name ?? null };
  }
  const parsed = RouteSettings.safeParse(row?.settings ?? {});
  const settings = parsed.success ? parsed.data : defaultSettings(ctx.env);
  return {
    ...routeColumns,
    source: 'project',
    settings,
    api: settings.api ?? 'openai',
    baseUrl: null,
    provider: null,
  };
}
