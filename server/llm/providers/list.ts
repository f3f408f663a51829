import { and, asc, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import type { ProjectCtx } from '../../access';
import type { Ctx } from '../../platform';
import type { Price } from '../registry/price';
import {
  asAccess,
  asProvider,
  envAccess,
  envProvider,
  type Provider,
  type ProviderAccess,
  type SealedProvider,
} from './provider';

/**
 * The project's providers by name, and those of the environment whose names the project does not
 * use.
 */
export async function listProviders(ctx: ProjectCtx): Promise<Provider[]> {
  const rows = await rowsOf(ctx, ctx.projectId);
  const ownNames = new Set(rows.map(({ name }) => name));
  const inherited = ctx.env.defaultProviders
    .filter(({ kind }) => !ownNames.has(kind))
    .map(envProvider);
  return [...rows.map((row) => asProvider(ctx, row)), ...inherited].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
}

/** The enabled providers of `listProviders`, with their keys. */
export async function loadProviders(ctx: Ctx, projectId: string): Promise<ProviderAccess[]> {
  return openProviders(ctx, await rowsOf(ctx, projectId));
}

/** The same, from one project's rows that are already loaded; runs no query. */
export function openProviders(
  ctx: Pick<Ctx, 'env'>,
  rows: readonly SealedProvider[],
): ProviderAccess[] {
  const ownNames = new Set(rows.map(({ name }) => name));
  return [
    ...rows.filter(({ enabled }) => enabled).map((row) => asAccess(ctx, row)),
    ...ctx.env.defaultProviders.filter(({ kind }) => !ownNames.has(kind)).map(envAccess),
  ];
}

/**
 * The providers of all projects, with sealed keys: the gateway keeps them in memory to serve
 * requests without a query.
 */
export async function listSealedProviders(ctx: Pick<Ctx, 'db'>): Promise<SealedProvider[]> {
  const { projectId, name, kind, baseUrl, sealedKey, models, prices, enabled } = schema.providers;
  return ctx.db
    .select({ projectId, name, kind, baseUrl, sealedKey, models, prices, enabled })
    .from(schema.providers)
    .orderBy(asc(projectId), asc(name));
}

/** The models that may be chosen as a judge. */
export interface Models {
  /**
   * Specs (`provider:model`) of all models that the project can call, each provider's default
   * first.
   */
  readonly specs: readonly string[];
  /** The project's own prices, by spec. */
  readonly prices: ReadonlyMap<string, Price>;
}

export async function loadModels(ctx: Ctx, projectId: string): Promise<Models> {
  const providers = await loadProviders(ctx, projectId);
  return {
    specs: providers.flatMap(({ name, models }) => models.map((model) => `${name}:${model}`)),
    prices: new Map(
      providers.flatMap(({ name, prices }) =>
        [...prices].map(([model, price]) => [`${name}:${model}`, price] as const),
      ),
    ),
  };
}

/** Only the specs of `loadModels`. */
export async function listProviderModels(ctx: Ctx, projectId: string): Promise<readonly string[]> {
  return (await loadModels(ctx, projectId)).specs;
}

function rowsOf(ctx: Ctx, projectId: string) {
  const { providers } = schema;
  return ctx.db
    .select()
    .from(providers)
    .where(and(eq(providers.projectId, projectId)))
    .orderBy(asc(providers.name));
}
