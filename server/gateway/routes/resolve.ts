import { baseUrlOf, type ProviderAccess } from '../../llm';
import type { Env } from '../../platform';
import type { KeyGap } from '../exchange';
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
  /**
   * Where its settings are from: the project stored some; a provider of the project bears its name;
   * else the environment.
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
 * Where calls to this route go and by whose key: by the stored settings, else by the provider of
 * that name, else, for `openai` and `anthropic`, to the operator's address or the vendor's own. The
 * key is that of the provider which is at the upstream's address, and never another's (S-45).
 * To the vendor's own address, which no one named, nothing goes without one. Pure; null where there
 * is no such route, or its upstream is gone.
 * @param stored as the database has them, of whatever release; null: none are stored
 */
export function resolveRoute(
  ground: RouteGround,
  name: string,
  stored: unknown,
): ResolvedRoute | null {
  const { env, providers } = ground;
  if (stored !== null) {
    const parsed = RouteSettings.safeParse(stored);
    if (!parsed.success) return null;
    const { upstream } = parsed.data;
    if (upstream === null)
      return place(ground, name, 'project', parsed.data, targetNamed(ground, name));
    const target = isAddress(upstream)
      ? { baseUrl: upstreamUrl(upstream), provider: null, isVendors: false }
      : asTarget(providers.find((each) => each.name === upstream));
    return place(ground, name, 'project', parsed.data, target);
  }
  const target = targetNamed(ground, name);
  return place(
    ground,
    name,
    target?.provider?.source === 'project' ? 'provider' : 'environment',
    defaultSettings(env),
    target,
  );
}

/** An upstream that is no provider's name. */
export function isAddress(upstream: string): boolean {
  return upstream.includes('://') || upstream.includes('/');
}

/**
 * As clients of OpenAI and Anthropic are given it: a bare host stands for its `/v1`. Without a
 * slash at its end.
 */
export function upstreamUrl(text: string): string {
  const url = new URL(text);
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path === '' ? '/v1' : path}`;
}

interface Target {
  readonly baseUrl: string;
  /** The provider that was named; null: only an address was. */
  readonly provider: ProviderAccess | null;
  /** No one named the address: it is the vendor's own. */
  readonly isVendors: boolean;
}

function targetNamed({ env, providers }: RouteGround, name: string): Target | null {
  const named = asTarget(providers.find((each) => each.name === name));
  if (named !== null) return named;
  const kind = builtInRoutes.find((each) => each === name);
  if (kind === undefined) return null;
  const given = env.upstreams[kind];
  return { baseUrl: baseUrlOf(kind, given), provider: null, isVendors: given === null };
}

function asTarget(provider: ProviderAccess | undefined): Target | null {
  return provider === undefined ? null : { baseUrl: baseOf(provider), provider, isVendors: false };
}

/**
 * Google's own API has no chat completions; what speaks them is below it, under the same key.
 */
function baseOf({ kind, baseUrl }: ProviderAccess): string {
  return kind === 'google' ? `${baseUrl}/openai` : baseUrl;
}

const apiOf = ({ kind }: ProviderAccess): 'openai' | 'anthropic' =>
  kind === 'anthropic' ? 'anthropic' : 'openai';

function place(
  { providers }: RouteGround,
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

/**
 * Whose key goes to the target: the provider's that was named, else that of the one that stands
 * there, where it is plain which.
 */
function findKey(
  providers: readonly ProviderAccess[],
  name: string,
  api: RouteSettings['api'],
  { provider, baseUrl, isVendors }: Target,
): Pick<ResolvedRoute, 'provider' | 'keyGap'> {
  if (provider !== null) return { provider, keyGap: null };
  const there = standingAt(providers, name, api, baseUrl);
  const [first = null, ...others] = there;
  if (isVendors && first === null) {
    const message = `no provider "${name}" in this project: add one, or send the upstream's own key, and the Assay key in "x-assay-key"`;
    return { provider: null, keyGap: { kind: 'no_provider', message } };
  }
  if (first === null || others.every((other) => isAlike(first, other)))
    return { provider: first, keyGap: null };
  const names = there.map((each) => `"${each.name}"`).join(', ');
  const message = `the providers ${names} all stand at this address: name the one that is meant in place of the address`;
  return { provider: null, keyGap: { kind: 'several_providers', message } };
}

/**
 * The providers of this origin (S-45); where there are several, those that the route's settings,
 * name and address speak of.
 */
function standingAt(
  providers: readonly ProviderAccess[],
  name: string,
  api: RouteSettings['api'],
  baseUrl: string,
): readonly ProviderAccess[] {
  const { origin } = new URL(baseUrl);
  let there = providers.filter((each) => each.origin === origin);
  const narrow = (isMeant: (each: ProviderAccess) => boolean): void => {
    const meant = there.filter(isMeant);
    if (meant.length > 0) there = meant;
  };
  narrow((each) => apiOf(each) === api);
  narrow((each) => each.name === name);
  narrow((each) => upstreamUrl(baseOf(each)) === baseUrl);
  // The project's own precede the operator's.
  if (new Set(there.map(apiOf)).size === 1) narrow(({ source }) => source === 'project');
  return there;
}

/** Whichever of the two is taken, the same key goes out in the same place. */
function isAlike(one: ProviderAccess, other: ProviderAccess): boolean {
  try {
    return apiOf(one) === apiOf(other) && one.openKey() === other.openKey();
  } catch {
    return false;
  }
}
