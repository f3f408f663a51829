import type { schema } from '../../../db';
import { openSecret, type SecretPlace } from '../../access';
import type { Ctx, Env } from '../../platform';
import type { ModelPrice, ProviderKind } from '../input';
import type { Price } from '../registry/price';

/** A provider as shown to people and clients, with its key masked (S-100). */
export interface Provider {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly enabled: boolean;
  /** The project's prices, if they differ from the list prices. */
  readonly prices: readonly ModelPrice[];
  /**
   * The masked key, such as `sk-…wxyz`; null if there is none; `unreadable` if it was sealed with
   * another ASSAY_SECRET and must be entered again.
   */
  readonly key: string | null;
  /**
   * `environment`: set by the operator, for every project that has no provider of the same name.
   */
  readonly source: 'project' | 'environment';
  readonly updatedAt: Date | null;
}

/** A provider ready to be called. Never logged, stored or sent, since it contains the key. */
export interface ProviderAccess {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly origin: string;
  readonly models: readonly string[];
  /** The project's own prices, by model. */
  readonly prices: ReadonlyMap<string, Price>;
  readonly source: 'project' | 'environment';
  /** @throws Error if it was sealed for another origin or under another ASSAY_SECRET */
  readonly openKey: () => string | null;
}

export type ProviderRow = typeof schema.providers.$inferSelect;

/** The data needed to call a provider. The key is still sealed, so it may be written to disk. */
export type SealedProvider = Pick<
  ProviderRow,
  'projectId' | 'name' | 'kind' | 'baseUrl' | 'sealedKey' | 'models' | 'prices' | 'enabled'
>;

export function placeOfKey(projectId: string, name: string, origin: string): SecretPlace {
  return { projectId, table: 'providers', column: 'sealed_key', rowId: name, origin };
}

/**
 * The prefix that identifies the kind of key, and the last four characters: enough to recognise the
 * key, but not to use it.
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
 * Opens the key for the origin of the base URL that is called: a key that was sealed for another
 * origin does not open (S-45).
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
  // Opened when a call is made, and once: an access is kept for less than a second.
  let opened: { readonly key: string | null } | null = null;
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
    openKey: () => (opened ??= { key: openKey(ctx, row) }).key,
  };
}

type EnvProvider = Env['defaultProviders'][number];

/** The models of the operator's providers, the small one first because it is enough for judging. */
const defaultModels: Record<EnvProvider['kind'], readonly string[]> = {
  openai: ['gpt-4o-mini', 'gpt-4o'],
  anthropic: ['claude-haiku-4-5', 'claude-sonnet-4-5'],
  google: ['gemini-2.5-flash', 'gemini-2.5-pro'],
};

export function envProvider(given: EnvProvider): Provider {
  return {
    name: given.kind,
    kind: given.kind,
    baseUrl: baseUrlOf(given.kind, given.baseUrl),
    models: defaultModels[given.kind],
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
    models: defaultModels[given.kind],
    prices: new Map(),
    source: 'environment',
    openKey: () => given.apiKey,
  };
}

const defaultUrls: Record<ProviderKind, string | null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openai_compatible: null,
};

/**
 * The base URL that paths are appended to. The SDKs of Anthropic and Google take only the host,
 * that of OpenAI also the version; each kind follows its own SDK.
 */
export function baseUrlOf(kind: ProviderKind, given: string | null): string {
  const text = (given ?? defaultUrls[kind] ?? '').replace(/\/+$/, '');
  if (kind !== 'anthropic' && kind !== 'google') return text;
  const isHostOnly = URL.canParse(text) && new URL(text).pathname === '/';
  return isHostOnly ? `${text}${kind === 'anthropic' ? '/v1' : '/v1beta'}` : text;
}
