import { baseUrlOf, type ProviderAccess } from '../../llm';
import type { Env } from '../../platform';
import type { KeyGap } from '../exchange';
import { RouteSettings } from '../input';
import { defaultSettings } from './default-settings';

/** The data needed to resolve a route's name. */
export interface RouteContext {
  readonly env: Pick<Env, 'upstreams' | 'qualityVerifier'>;
  /** The project's providers, including those of the environment. */
  readonly providers: readonly ProviderAccess[];
}

/** A route with its defaults filled in. */
export interface ResolvedRoute {
  readonly name: string;
  /**
   * The source of its settings: stored by the project, a provider of the same name, or the
   * environment.
   */
  readonly source: 'project' | 'provider' | 'environment';
  readonly settings: RouteSettings;
  readonly api: 'openai' | 'anthropic';
  readonly baseUrl: string;
  readonly origin: string;
  readonly provider: ProviderAccess | null;
  readonly keyGap: KeyGap | null;
}

/** Routes that every project has. */
export const builtInRoutes = ['anthropic', 'openai'] as const;

/**
 * Resolves upstream and key of a route: from the stored settings, else the provider of that name,
 * else for `openai` and `anthropic` the operator's or the vendor's own URL. The key is that of the
 * provider at the upstream's URL, never another's (S-45); without one, nothing is sent to the
 * vendor's default URL. Pure; null if there is no such route, or its upstream no longer exists.
 * @param stored from the database, of any release; null if none
 */
export function resolveRoute(
  context: RouteContext,
  name: string,
  stored: unknown,
): ResolvedRoute | null {
  const { env, providers } = context;
  if (stored !== null) {
    const parsed = RouteSettings.safeParse(stored);
    if (!parsed.success) return null;
    const { upstream } = parsed.data;
    if (upstream === null)
      return completeRoute(context, name, 'project', parsed.data, targetNamed(context, name));
    const target = isAddress(upstream)
      ? { baseUrl: upstreamUrl(upstream), provider: null, isVendors: false }
      : asTarget(providers.find((each) => each.name === upstream));
    return completeRoute(context, name, 'project', parsed.data, target);
  }
  const target = targetNamed(context, name);
  return completeRoute(
    context,
    name,
    target?.provider?.source === 'project' ? 'provider' : 'environment',
    defaultSettings(env),
    target,
  );
}

/** The upstream is a URL, not the name of a provider. */
export function isAddress(upstream: string): boolean {
  return upstream.includes('://') || upstream.includes('/');
}

/**
 * A base URL as used by OpenAI and Anthropic clients: a bare host means its `/v1`. Without a
 * trailing slash.
 */
export function upstreamUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

interface Target {
  readonly baseUrl: string;
  /** The named provider; null if only a URL was given. */
  readonly provider: ProviderAccess | null;
  /** The vendor's default URL, which no one configured. */
  readonly isVendors: boolean;
}

function targetNamed({ env, providers }: RouteContext, name: string): Target | null {
  const named = asTarget(providers.find((each) => each.name === name));
  if (named !== null) return named;
  const kind = builtInRoutes.find((each) => each === name);
  if (kind === undefined) return null;
  const operatorUrl = env.upstreams[kind];
  return { baseUrl: baseUrlOf(kind, operatorUrl), provider: null, isVendors: operatorUrl === null };
}

function asTarget(provider: ProviderAccess | undefined): Target | null {
  return provider === undefined ? null : { baseUrl: baseOf(provider), provider, isVendors: false };
}

/** Google serves chat completions below its own API, under the same key. */
function baseOf({ kind, baseUrl }: ProviderAccess): string {
  return kind === 'google' ? `${baseUrl}/openai` : baseUrl;
}

const apiOf = ({ kind }: ProviderAccess): 'openai' | 'anthropic' =>
  kind === 'anthropic' ? 'anthropic' : 'openai';

function completeRoute(
  { providers }: RouteContext,
  name: string,
  source: ResolvedRoute['source'],
  settings: RouteSettings,
  target: Target | null,
): ResolvedRoute | null {
  if (target === null || !URL.canParse(target.baseUrl)) return null;
  const { baseUrl } = target;
  const { provider, keyGap } = findKey(providers, name, settings.api, target);
  const kind =
    provider === null ? (name === 'anthropic' ? 'anthropic' : 'openai') : apiOf(provider);
  return {
    name,
    source,
    settings,
    api: settings.api ?? kind,
    baseUrl,
    origin: new URL(baseUrl).origin,
    provider,
    keyGap,
  };
}

/** The provider whose key is sent to the target: the named one, else the only one at that URL. */
function findKey(
  providers: readonly ProviderAccess[],
  name: string,
  api: RouteSettings['api'],
  { provider, baseUrl, isVendors }: Target,
): Pick<ResolvedRoute, 'provider' | 'keyGap'> {
  if (provider !== null) return { provider, keyGap: null };
  const candidates = providersAt(providers, name, api, baseUrl);
  const [first = null, ...others] = candidates;
  if (isVendors && first === null) {
    const message = `no provider "${name}" in this project: add one, or send the upstream's own key, and the Assay key in "x-assay-key"`;
    return { provider: null, keyGap: { kind: 'no_provider', message } };
  }
  if (first === null || others.every((other) => isAlike(first, other)))
    return { provider: first, keyGap: null };
  const names = candidates.map((each) => `"${each.name}"`).join(', ');
  const message = `the providers ${names} share this URL: set the upstream to the name of one of them`;
  return { provider: null, keyGap: { kind: 'several_providers', message } };
}

/**
 * The providers of this origin (S-45), narrowed by the route's settings, name and URL if there are
 * several.
 */
function providersAt(
  providers: readonly ProviderAccess[],
  name: string,
  api: RouteSettings['api'],
  baseUrl: string,
): readonly ProviderAccess[] {
  const { origin } = new URL(baseUrl);
  let candidates = providers.filter((each) => each.origin === origin);
  const narrow = (isMeant: (each: ProviderAccess) => boolean): void => {
    const meant = candidates.filter(isMeant);
    if (meant.length > 0) candidates = meant;
  };
  narrow((each) => apiOf(each) === api);
  narrow((each) => each.name === name);
  narrow((each) => upstreamUrl(baseOf(each)) === baseUrl);
  // The project's own providers take precedence over the operator's.
  if (new Set(candidates.map(apiOf)).size === 1) narrow(({ source }) => source === 'project');
  return candidates;
}

/** Both providers would send the same key in the same header. */
function isAlike(one: ProviderAccess, other: ProviderAccess): boolean {
  try {
    return apiOf(one) === apiOf(other) && one.openKey() === other.openKey();
  } catch {
    return false;
  }
}
