import { expiryFault, type LiveKey, matchKey } from '../../access';
import { openProviders, type ProviderAccess } from '../../llm';
import { type MaskRules, maskRulesOf } from '../../masking';
import type { MaskingSettings } from '../../masking/input';
import type { Ctx } from '../../platform';
import { chooseText, type PromptDefaults, type ResolvedPrompt } from '../../prompts';
import type { Authorized } from '../proxy/deps';
import type { GatewayProject, GatewayRoute } from '../exchange';
import { type Authority, whyAdvisory } from '../../thresholds';
import type { RouteSettings } from '../input';
import { resolveRoute } from './resolve';
import type { SnapshotContent } from './content';

/** A snapshot's content, indexed for lookups by every call. */
export interface SnapshotView {
  /** Null if the key may be valid, but is not in the snapshot. */
  authorize(
    authorization: string | undefined,
    apiKeys: readonly string[],
    xAssayKey: string | undefined,
  ): Authorized | null;
  routeOf(project: GatewayProject, name: string): GatewayRoute | null;
  promptsOf(projectId: string): ReadonlyMap<string, ResolvedPrompt>;
}

/** One project in the snapshot. */
interface ProjectView {
  readonly project: GatewayProject;
  readonly integrityAuthority: Authority;
  /** Stored route settings, by route name. */
  readonly settings: ReadonlyMap<string, unknown>;
  readonly routes: Map<string, GatewayRoute>;
  readonly prompts: ReadonlyMap<string, ResolvedPrompt>;
}

/** Never throws, regardless of the content. */
export function openContent(
  ctx: Pick<Ctx, 'clock' | 'env' | 'log'>,
  content: SnapshotContent,
  prompts: PromptDefaults,
): SnapshotView {
  const keys = new Map<string, LiveKey>(content.keys.map((key) => [key.id, key]));
  const match = rememberMatches((text) => matchKey(text, (id) => keys.get(id)));
  const release = releasePrompts(prompts);
  const views = openProjects(ctx, content, prompts, release);

  return {
    authorize(authorization, apiKeys, xAssayKey) {
      const { text, virtual } = readPresented(authorization, apiKeys, xAssayKey);
      if (text === null)
        return refusedFor(
          401,
          'an Assay API key is required; send it as "Authorization: Bearer asy_…", in "x-assay-key", or where your SDK puts its API key',
        );
      const key = match(text);
      if (key === 'unknown') return null;
      if (typeof key === 'string') return unknownKey;
      const expiresAt = key.expiresMs === null ? null : new Date(key.expiresMs);
      const expired = expiryFault(expiresAt, ctx.clock.now());
      if (expired !== null) return refusedFor(401, expired);
      if (!key.scopes.includes('gateway'))
        return refusedFor(403, 'the API key lacks the scope "gateway"; use a key that has it');
      const view = views.get(key.projectId);
      return view === undefined
        ? null
        : { state: 'ok', project: view.project, virtual, keyId: key.id };
    },
    routeOf(project, name) {
      const view = views.get(project.id);
      if (view === undefined) return null;
      const known = view.routes.get(name);
      if (known !== undefined) return known;
      const context = { env: ctx.env, providers: view.project.providers };
      const resolved = resolveRoute(context, name, view.settings.get(name) ?? null);
      if (resolved === null) return null;
      const { api, baseUrl, origin, provider, keyGap } = resolved;
      const settings = withinIntegrity(resolved.settings, view.integrityAuthority);
      const route: GatewayRoute = {
        name,
        project: view.project,
        settings,
        api,
        baseUrl,
        origin,
        provider,
        keyGap,
      };
      view.routes.set(name, route);
      return route;
    },
    promptsOf: (projectId) => views.get(projectId)?.prompts ?? release,
  };
}

type Match = (text: string) => ReturnType<typeof matchKey>;

const MATCHES_MAX = 1000;

/** Caches verified keys for the lifetime of the content, which saves three hashes per call. */
function rememberMatches(match: Match): Match {
  const right = new Map<string, LiveKey>();
  return (text) => {
    const known = right.get(text);
    if (known !== undefined) return known;
    const found = match(text);
    if (typeof found !== 'string' && right.size < MATCHES_MAX) right.set(text, found);
    return found;
  };
}

/** If integrity must be qualified and is not, it may only observe: `hold` becomes `observe`. */
function withinIntegrity(settings: RouteSettings, authority: Authority): RouteSettings {
  if (
    settings.integrity.mode !== 'hold' ||
    whyAdvisory(authority, { slug: 'integrity', self: false, judge: null }) === null
  )
    return settings;
  return { ...settings, integrity: { ...settings.integrity, mode: 'observe' } };
}

function refusedFor(status: 401 | 403, message: string): Authorized {
  return { state: 'refused', status, code: status === 401 ? 'unauthorized' : 'forbidden', message };
}

/** Every invalid key gets the same message (S-12). */
export const unknownKey = refusedFor(
  401,
  'the API key is unknown or was revoked; create one in the project settings',
);

const bearer = /^Bearer\s+(\S+)$/i;

/** The Assay key among the credentials, and whether the client sent no upstream key with it. */
export function readPresented(
  authorization: string | undefined,
  apiKeys: readonly string[],
  xAssayKey: string | undefined,
): { readonly text: string | null; readonly virtual: boolean } {
  const borne =
    authorization === undefined ? undefined : (bearer.exec(authorization)?.[1] ?? authorization);
  const keys = borne === undefined ? apiKeys : [borne, ...apiKeys];
  const isOurs = (text: string): boolean => text.startsWith('asy_');
  if (xAssayKey !== undefined)
    return { text: bearer.exec(xAssayKey)?.[1] ?? xAssayKey, virtual: keys.every(isOurs) };
  return { text: keys.find(isOurs) ?? null, virtual: true };
}

function releasePrompts(prompts: PromptDefaults): ReadonlyMap<string, ResolvedPrompt> {
  return new Map(
    [...prompts.values()]
      .filter(({ kind }) => kind === 'turn')
      .map((prompt) => [prompt.slug, chooseText(prompt, null)] as const),
  );
}

function openProjects(
  ctx: Pick<Ctx, 'env' | 'log'>,
  content: SnapshotContent,
  prompts: PromptDefaults,
  release: ReadonlyMap<string, ResolvedPrompt>,
): ReadonlyMap<string, ProjectView> {
  const providers = byProject(content.providers);
  const routes = byProject(content.routes);
  const promoted = byProject(content.prompts);
  return new Map(
    content.projects.flatMap(
      ({ projectId, slug, enabled, derivedCountsAsSourced, masking, ...authorities }) => {
        const { integrityAuthority, turnAuthority } = authorities;
        const masks = masksOf(ctx, projectId, masking);
        if (masks === 'unusable') return [];
        const promptTexts = new Map(release);
        for (const row of promoted.get(projectId) ?? []) {
          const fallback = prompts.get(row.slug);
          if (fallback === undefined || !release.has(row.slug)) continue;
          const running = chooseText(fallback, row);
          if (running.fellBack !== null)
            ctx.log.warn(
              { projectId, slug: row.slug, ...running.fellBack },
              'a prompt fell back to the release',
            );
          promptTexts.set(row.slug, running);
        }
        const project: GatewayProject = {
          id: projectId,
          slug,
          integrityOff: ctx.env.integritySwitch === 'off' || !enabled,
          derivedCountsAsSourced,
          masks,
          turnAuthority,
          providers: openProviders(ctx, providers.get(projectId) ?? []).map(withOpenKey),
        };
        const settings = new Map(
          (routes.get(projectId) ?? []).map((route) => [route.name, route.settings]),
        );
        const view = {
          project,
          integrityAuthority,
          settings,
          routes: new Map(),
          prompts: promptTexts,
        };
        return [[projectId, view] as const];
      },
    ),
  );
}

/** `unusable`: the project is not served, since its calls would be stored without masking. */
function masksOf(
  ctx: Pick<Ctx, 'env' | 'log'>,
  projectId: string,
  masking: MaskingSettings,
): MaskRules | null | 'unusable' {
  if (masking === null) return null;
  try {
    return maskRulesOf(ctx, projectId, masking);
  } catch (error) {
    ctx.log.error({ err: error, projectId }, 'the masking rules of a project cannot be used');
    return 'unusable';
  }
}

/** Decrypts a key once, not for every call; a failure is retried each time. */
function withOpenKey(provider: ProviderAccess): ProviderAccess {
  let opened: string | null | undefined;
  return {
    ...provider,
    openKey: () => (opened === undefined ? (opened = provider.openKey()) : opened),
  };
}

function byProject<Row extends { readonly projectId: string }>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.projectId);
    if (group === undefined) groups.set(row.projectId, [row]);
    else group.push(row);
  }
  return groups;
}
