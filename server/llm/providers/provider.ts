import type { schema } from '../../../db';
import { openSecret, type SecretPlace } from '../../access';
import type { Ctx, Env } from '../../platform';
import type { ModelPrice, ProviderKind } from '../input';
import type { Price } from '../registry/price';

/** A provider as people and clients see it: its key in a masked form only (S-100). */
export interface Provider {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly enabled: boolean;
  /** What the project pays, where that is not the list price. */
  readonly prices: readonly ModelPrice[];
  /**
   * `sk-…wxyz`; null: it has none; `unreadable`: it was sealed under another ASSAY_SECRET and must
   * be entered again.
   */
  readonly key: string | null;
  /** `environment`: the operator's, for each project that has none of the same name. */
  readonly source: 'project' | 'environment';
  readonly updatedAt: Date | null;
}

/** A provider as it is called. Never logged, stored or sent: it holds the key. */
export interface ProviderAccess {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly origin: string;
  readonly models: readonly string[];
  /** The project's own, by model. */
  readonly prices: ReadonlyMap<string, Price>;
  readonly source: 'project' | 'environment';
  /** @throws Error when it was sealed for another origin or under another ASSAY_SECRET */
  readonly openKey: () => string | null;
}

export type ProviderRow = typeof schema.providers.$inferSelect;

/** What calling a provider takes, its key sealed as it is stored: may lie on a disk. */
export type SealedProvider = Pick<
  ProviderRow,
  'projectId' | 'name' | 'kind' | 'baseUrl' | 'sealedKey' | 'models' | 'prices' | 'enabled'
>;

export function placeOfKey(projectId: string, name: string, origin: string): SecretPlace {
  return { projectId, table: 'providers', column: 'sealed_key', rowId: name, origin };
}

/**
 * The first characters that tell the sort of key, and the last four: enough to know it by, nothing
 * to use.
 */
function maskKey(key: string): string {
  return key.length < 16 ? '…' : `${key.slice(0, 3)}…${key.slice(-4)}`;
}

export function asProvider(ctx: Pick<Ctx, 'env'>, row: ProviderRow): Provider {
  return {
    name: row.name,
    kind: row.kind,
    baseUrl: row.baseUrl,
    models: row.models,
    enabled: row.enabled,
    prices: row.prices.map(({ model, input, output }) => ({
      model,
      usd_per_million: { input, output },
    })),
    key: maskedKey(ctx, row),
    source: 'project',
    updatedAt: row.updatedAt,
  };
}

function maskedKey(ctx: Pick<Ctx, 'env'>, row: ProviderRow): string | null {
  try {
    const key = openKey(ctx, row);
    return key === null ? null : maskKey(key);
  } catch {
    return 'unreadable';
  }
}

/**
 * Opened for the origin of the address that is called, whatever the row says its origin is (S-45).
 */
function openKey(ctx: Pick<Ctx, 'env'>, row: SealedProvider): string | null {
  if (row.sealedKey === null) return null;
  return openSecret(
    ctx,
    placeOfKey(row.projectId, row.name, new URL(row.baseUrl).origin),
    row.sealedKey,
  );
}

export function asAccess(ctx: Pick<Ctx, 'env'>, row: SealedProvider): ProviderAccess {
  return {
    name: row.name,
    kind: row.kind,
    baseUrl: row.baseUrl,
    origin: new URL(row.baseUrl).origin,
    models: row.models,
    prices: new Map(
      row.prices.map(({ model, input, output }) => [model, { inputUsd: input, outputUsd: output }]),
    ),
    source: 'project',
    openKey: () => openKey(ctx, row),
  };
}

type EnvProvider = Env['defaultProviders'][number];

/** Models of the operator's providers: a small one first, which is what judges need. */
const usualModels: Record<EnvProvider['kind'], readonly string[]> = {
  openai: ['gpt-4o-mini', 'gpt-4o'],
  anthropic: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
  google: ['gemini-2.5-flash', 'gemini-2.5-pro'],
};

export function envProvider(given: EnvProvider): Provider {
  return {
    name: given.kind,
    kind: given.kind,
    baseUrl: baseUrlOf(given.kind, given.baseUrl),
    models: usualModels[given.kind],
    enabled: true,
    prices: [],
    key: maskKey(given.apiKey),
    source: 'environment',
    updatedAt: null,
  };
}

export function envAccess(given: EnvProvider): ProviderAccess {
  const baseUrl = baseUrlOf(given.kind, given.baseUrl);
  return {
    name: given.kind,
    kind: given.kind,
    baseUrl,
    origin: new URL(baseUrl).origin,
    models: usualModels[given.kind],
    prices: new Map(),
    source: 'environment',
    openKey: () => given.apiKey,
  };
}

const ownUrl: Record<ProviderKind, string | null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openai_compatible: null,
};

/**
 * The address that paths are put behind. Anthropic's and Google's own clients are given the host
 * alone, OpenAI's the version too; each is taken as its own client takes it.
 */
export function baseUrlOf(kind: ProviderKind, given: string | null): string {
  const text = (given ?? ownUrl[kind] ?? '').replace(/\/+$/, '');
  if (kind !== 'anthropic' && kind !== 'google') return text;
  const bare = URL.canParse(text) && new URL(text).pathname === '/';
  return bare ? `${text}${kind === 'anthropic' ? '/v1' : '/v1beta'}` : text;
}
