import { AsyncLocalStorage } from 'node:async_hooks';
import { APIError, betterAuth } from 'better-auth';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type Ctx, invalid, type SingleSignOnEnv, sourceOf, unavailable } from '../platform';
import { applyGroups, groupsIn, rolesOf } from './apply-groups';
import { recordAudit } from './audit';
import { authOptions, cookiesOf } from './auth-options';
import { Name, SsoStart } from './input';
import type { Role } from './roles';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

/** The provider's id in better-auth, in the callback's path and in `auth_accounts`. */
const providerId = 'sso';
export const ssoStartPath = '/api/auth/sign-in/sso';
export const ssoCallbackPath = `/api/auth/callback/${providerId}`;

export interface SingleSignOn {
  /**
   * The provider's address for a new attempt, as `{"url"}`, and the cookie that binds it.
   * @throws AssayError rate_limited, invalid_request, unavailable (no answer from the provider)
   */
  start(request: Request): Promise<Response>;
  /** Finishes an attempt: redirects to the wanted page, or to the sign-in page with the reason. */
  finish(request: Request): Promise<Response>;
}

/** The data that the callbacks of better-auth have about the attempt in progress. */
interface Attempt {
  roles: ReadonlyMap<string, Role>;
}

/**
 * Sign-in through the operator's OpenID Connect provider: discovery, PKCE, state and nonce are
 * better-auth's. It is a separate instance, since an unreachable provider must not delay the other
 * ways to sign in.
 */
export function createSingleSignOn(ctx: Ctx, secret: string, sso: SingleSignOnEnv): SingleSignOn {
  const attempts = new AsyncLocalStorage<Attempt>();
  let auth: ReturnType<typeof createAuth> | null = null;
  const open = () => (auth ??= createAuth(ctx, { secret, sso, attempts }));
  const { webUrl, trustedProxies } = ctx.env;
  const sourceAttempt = (request: Request) => ({
    email: null,
    deviceId: null,
    source: sourceOf(trustedProxies, request.headers),
  });

  return {
    async start(request) {
      const parsed = SsoStart.safeParse(await request.json().catch(() => null));
      if (!parsed.success) throw invalid('`next` must be a path of the console, such as /');
      await countSignInAttempt(ctx, sourceAttempt(request));
      const failed = new URL('/sign-in', webUrl);
      if (parsed.data.next !== '/') failed.searchParams.set('next', parsed.data.next);
      const response = await open().handler(
        new Request(new URL('/api/auth/sign-in/social', webUrl), {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: new URL(webUrl).origin },
          body: JSON.stringify({
            provider: providerId,
            callbackURL: new URL(parsed.data.next, webUrl).href,
            errorCallbackURL: failed.href,
            disableRedirect: true,
          }),
        }),
      );
      const body: unknown = await response.json().catch(() => null);
      if (!response.ok || typeof body !== 'object' || body === null || !('url' in body))
        throw unavailable(`${sso.name} cannot be reached at the moment; try again`);
      return Response.json({ url: body.url }, { headers: cookiesOf(response) });
    },
    async finish(request) {
      const { search } = new URL(request.url);
      const headers = new Headers();
      for (const name of ['cookie', 'user-agent']) {
        const value = request.headers.get(name);
        if (value !== null) headers.set(name, name === 'cookie' ? value : value.slice(0, 300));
      }
      const response = await attempts.run({ roles: new Map() }, () =>
        open().handler(new Request(new URL(ssoCallbackPath + search, webUrl), { headers })),
      );
      const redirectUrl = response.headers.get('location');
      const target = redirectUrl === null ? null : new URL(redirectUrl, webUrl);
      const isOwn = target?.origin === new URL(webUrl).origin;
      const to = target !== null && isOwn ? target : new URL('/sign-in?error=sso_failed', webUrl);
      // A provider's description is a stranger's text on our page.
      to.searchParams.delete('error_description');
      if (!to.searchParams.has('error')) await clearSignInAttempts(ctx, sourceAttempt(request));
      const answer = cookiesOf(response);
      answer.set('location', to.href);
      return new Response(null, { status: 302, headers: answer });
    },
  };
}

interface AuthParts {
  readonly secret: string;
  readonly sso: SingleSignOnEnv;
  readonly attempts: AsyncLocalStorage<Attempt>;
}

function createAuth(ctx: Ctx, { secret, sso, attempts }: AuthParts) {
  const options = authOptions(ctx, secret);
  return betterAuth({
    ...options,
    onAPIError: { errorURL: new URL('/sign-in', ctx.env.webUrl).href },
    account: {
      // Strangers can start attempts: they must not fill a table.
      storeStateStrategy: 'cookie',
      updateAccountOnSignIn: false,
    },
    user: {
      ...options.user,
      validateUserInfo: async ({ user, source }) => {
        const roles = rolesOf(sso, groupsIn(source.oauth?.profile?.[sso.groupsClaim]));
        const error = refusalOf(sso, user, roles);
        const attempt = attempts.getStore();
        if (attempt !== undefined) attempt.roles = roles;
        if (error === null) return;
        const known = typeof user.id === 'string' ? await findUser(ctx, user.id) : null;
        if (known?.operator === true && error === 'not_mapped') return;
        // Someone who lost every group, or left the allowed domains, loses the roles now.
        if (known !== null && source.action === 'sign-in' && error !== 'email_not_verified')
          await applyGroups(ctx, sso, known, new Map());
        return { error };
      },
    },
    databaseHooks: {
      account: {
        create: {
          // The provider's tokens are not needed again, and are secrets.
          before: async (account) => ({ data: { ...account, ...noTokens } }),
          after: async ({ userId }) => recordChange(ctx, userId, 'accounts.linkSingleSignOn'),
        },
      },
      user: {
        create: { after: async ({ id }) => recordChange(ctx, id, 'accounts.create') },
      },
      session: {
        create: {
          before: async ({ userId }) => {
            const user = await findUser(ctx, userId);
            const attempt = attempts.getStore();
            if (user === null || attempt === undefined) throw new APIError('FORBIDDEN');
            await applyGroups(ctx, sso, user, attempt.roles);
          },
        },
      },
    },
    plugins: [
      genericOAuth({
        config: [
          {
            providerId,
            discoveryUrl: `${sso.issuer}/.well-known/openid-configuration`,
            clientId: sso.clientId,
            clientSecret: sso.clientSecret,
            scopes: [...sso.scopes],
            requireIdTokenVerification: true,
            pkce: true,
            mapProfileToUser: ({ name, email }) => ({
              name: Name.safeParse(name).data ?? email ?? '',
              image: undefined,
            }),
          },
        ],
      }),
    ],
  });
}

const noTokens = { accessToken: null, refreshToken: null, idToken: null };

/**
 * The reason why a person may not sign in; null if the person may. An unverified address proves
 * nothing: with it anyone could take over the account of that address, or claim its domain.
 */
function refusalOf(
  sso: SingleSignOnEnv,
  user: { readonly email?: string | undefined; readonly emailVerified?: boolean | undefined },
  roles: ReadonlyMap<string, Role>,
): 'email_not_verified' | 'domain_not_allowed' | 'not_mapped' | null {
  if (user.emailVerified !== true || user.email === undefined) return 'email_not_verified';
  const domain = user.email.toLowerCase().split('@').at(-1) ?? '';
  if (sso.emailDomains.length > 0 && !sso.emailDomains.includes(domain))
    return 'domain_not_allowed';
  return roles.size === 0 ? 'not_mapped' : null;
}

async function findUser(
  ctx: Ctx,
  id: string,
): Promise<{ id: string; email: string; operator: boolean } | null> {
  const { users } = schema;
  const [user] = await ctx.db
    .select({ id: users.id, email: users.email, operator: users.operator })
    .from(users)
    .where(eq(users.id, id));
  return user ?? null;
}

async function recordChange(ctx: Ctx, userId: string, action: string): Promise<void> {
  const user = await findUser(ctx, userId);
  const actor = { kind: 'system', id: 'single sign-on', label: 'single sign-on' } as const;
  await recordAudit(ctx, ctx.db, actor, {
    projectId: null,
    action,
    target: user?.email ?? userId,
  });
}
