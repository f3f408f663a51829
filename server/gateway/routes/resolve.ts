import { baseUrlOf, type ProviderAccess } from '../../llm';
import type { Env } from '../../platform';
import { RouteSettings } from '../input';
import { defaultSettings } from './default-settings';

/** What a route's name is looked up in. */
export interface RouteGround {
  readonly env: Pick<Env, 'upstreams' | 'qualityVerifier'>;
  /** The project's, those of the environment included. */
  readonly providers: readonly ProviderAccess[];
}

/** A route with all that its settings leave open. */
export interface ResolvedRoute {
  readonly name: string;
  /** Where its settings are from: the project stored some; a provider of the project bears its name; else the environment. */
  readonly source: 'project' | 'provider' | 'environment';
  readonly settings: RouteSettings;
  readonly api: 'openai' | 'anthropic';
  readonly baseUrl: string;
  readonly origin: string;
  readonly provider: ProviderAccess | null;
}

/** Routes that every project has. */
export const builtInRoutes = ['anthropic', 'openai'] as const;

/**
 * Where calls to this route go and by whose key: by the stored settings, else by the provider of that name, else, for `openai` and
 * `anthropic`, to the operator's address or the vendor's own. The key is that of a provider with the same origin as the upstream, and
 * never another's (S-45). Pure; null where there is no such route, or its upstream is gone.
 * @param stored as the database has them, of whatever release; null: none are stored
 */
export function resolveRoute(ground: RouteGround, name: string, stored: unknown): ResolvedRoute | null {
  const { env, providers } = ground;
  if (stored !== null) {
    const parsed = RouteSettings.safeParse(stored);
    if (!parsed.success) return null;
    const { upstream } = parsed.data;
    if (upstream === null) return place(ground, name, 'project', parsed.data, targetNamed(ground, name));
    const target = isAddress(upstream)
      ? { baseUrl: upstreamUrl(upstream), provider: null }
      : asTarget(providers.find((each) => each.name === upstream));
    return place(ground, name, 'project', parsed.data, target);
  }
  const target = targetNamed(ground, name);
  return place(ground, name, target?.provider?.source === 'project' ? 'provider' : 'environment', defaultSettings(env), target);
}

/** An upstream that is no provider's name. */
export function isAddress(upstream: string): boolean {
  return upstream.includes('://') || upstream.includes('/');
}

/** As clients of OpenAI and Anthropic are given it: a bare host stands for its `/v1`. Without a slash at its end. */
export function upstreamUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

interface Target {
  readonly baseUrl: string;
  /** The provider that was named; null: only an address was. */
  readonly provider: ProviderAccess | null;
}

function targetNamed({ env, providers }: RouteGround, name: string): Target | null {
  const named = asTarget(providers.find((each) => each.name === name));
  if (named !== null) return named;
  const kind = builtInRoutes.find((each) => each === name);
  return kind === undefined ? null : { baseUrl: baseUrlOf(kind, env.upstreams[kind]), provider: null };
}

/** Google's own API has no chat completions; what speaks them stands below it, under the same key. */
function asTarget(provider: ProviderAccess | undefined): Target | null {
  if (provider === undefined) return null;
  return { baseUrl: provider.kind === 'google' ? `${provider.baseUrl}/openai` : provider.baseUrl, provider };
}

function place(
  { providers }: RouteGround,
  name: string,
  source: ResolvedRoute['source'],
  settings: RouteSettings,
  target: Target | null,
): ResolvedRoute | null {
  if (target === null || !URL.canParse(target.baseUrl)) return null;
  const { origin } = new URL(target.baseUrl);
  const sameOrigin = providers.filter((each) => each.origin === origin);
  const provider = target.provider ?? sameOrigin.find((each) => each.name === name) ?? sameOrigin[0] ?? null;
  const kind = provider?.kind === 'anthropic' || (provider === null && name === 'anthropic') ? 'anthropic' : 'openai';
  return { name, source, settings, api: settings.api ?? kind, baseUrl: target.baseUrl, origin, provider };
}
