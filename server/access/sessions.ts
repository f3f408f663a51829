import { APIError, betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { eq } from 'drizzle-orm';
import { schema } from '../../db';
import { asAssayError, asSentence, type Ctx, newId, unavailable } from '../platform';
import { authOptions, cookiesOf } from './auth-options';
import { createKnownDevices } from './known-device';
import { passkeyPlugin, passkeySteps } from './passkeys';
import { hashPassword, verifyPassword } from './passwords';
import { secondFactorSteps } from './second-factor';
import type { SignInParts } from './sign-in-parts';
import { passwordPath, signInWithPassword } from './sign-in-by-password';
import { createSingleSignOn, ssoCallbackPath, ssoStartPath } from './single-sign-on';

export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface UserSessions {
  /**
   * Signs in and out, and manages two-step sign-in and passkeys, through better-auth; all its other
   * routes are 404. The request must have passed `admitOwn`, except for the callback of single
   * sign-on, which another site redirects to.
   */
  handle(request: Request): Promise<Response>;
  /** The user of the request's cookie, or null. @throws AssayError unavailable */
  find(headers: Headers): Promise<SignedIn | null>;
  /** The session id of the request's cookie, or null. @throws AssayError unavailable */
  findId(headers: Headers): Promise<string | null>;
}

const steps = new Map([[passwordPath, signInWithPassword], ...secondFactorSteps, ...passkeySteps]);
const signOutPath = '/api/auth/sign-out';

/**
 * Sign-in by e-mail and password, and through the operator's provider. Accounts come only from
 * one-time links and from the provider: better-auth's own sign-up is disabled.
 */
export function createSessions(ctx: Ctx, secret: string): UserSessions {
  const auth = createAuth(ctx, secret);
  const { singleSignOn } = ctx.env;
  const sso = singleSignOn === null ? null : createSingleSignOn(ctx, secret, singleSignOn);
  const devices = createKnownDevices(secret, {
    secure: ctx.env.webUrl.startsWith('https://'),
    now: () => ctx.clock.now(),
  });

  async function read(headers: Headers) {
    const cookie = headers.get('cookie');
    if (cookie === null) return null;
    try {
      return await auth.api.getSession({ headers: new Headers({ cookie }) });
    } catch (error) {
      // 401 if the session ended during the read. Any other error is a storage fault, regardless of
      // better-auth's report.
      if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return null;
      ctx.log.warn({ err: error }, 'session lookup failed');
      throw unavailable('the session cannot be checked at the moment; try again');
    }
  }

  const parts: SignInParts = {
    devices,
    call: (request, path, body) => passOn(ctx, auth, request, { path, body }),
    checkPassword: (request, password) =>
      auth.api.verifyPassword({ body: { password }, headers: cookieIn(request), asResponse: true }),
    async find(headers) {
      const found = await read(headers);
      return found === null ? null : { id: found.session.id, user: asSignedIn(found.user) };
    },
  };

  return {
    async handle(request) {
      const { pathname } = new URL(request.url);
      const step = request.method === 'POST' ? steps.get(pathname) : undefined;
      if (step !== undefined)
        return step(ctx, parts, request).catch((error: unknown) => answerError(ctx, error));
      if (sso !== null && request.method === 'POST' && pathname === ssoStartPath)
        return sso.start(request).catch((error: unknown) => answerError(ctx, error));
      if (sso !== null && request.method === 'GET' && pathname === ssoCallbackPath)
        return sso.finish(request).catch((error: unknown) => answerError(ctx, error));
      if (request.method === 'POST' && pathname === signOutPath) {
        const response = await passOn(ctx, auth, request, { path: signOutPath, body: {} });
        return Response.json(
          { ok: response.ok },
          { status: response.status, headers: cookiesOf(response) },
        );
      }
      return Response.json({ code: 'NOT_FOUND', message: 'No such route.' }, { status: 404 });
    },
    async find(headers) {
      const found = await read(headers);
      return found === null ? null : asSignedIn(found.user);
    },
    findId: async (headers) => (await read(headers))?.session.id ?? null,
  };
}

const asSignedIn = (user: {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly operator?: boolean | null | undefined;
}): SignedIn => ({
  id: user.id,
  name: user.name,
  email: user.email,
  operator: user.operator === true,
});

/**
 * Calls better-auth with only the required input: no forwarded header, foreign host or extra field
 * reaches it. Without a body by GET.
 */
function passOn(
  { env }: Ctx,
  auth: ReturnType<typeof createAuth>,
  request: Request,
  { path, body }: { readonly path: string; readonly body?: object | undefined },
): Promise<Response> {
  const headers = cookieIn(request);
  headers.set('content-type', 'application/json');
  headers.set('origin', new URL(env.webUrl).origin);
  headers.set('user-agent', (request.headers.get('user-agent') ?? '').slice(0, 300));
  return auth.handler(
    new Request(new URL(path, env.webUrl), {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

function cookieIn(request: Request): Headers {
  const cookie = request.headers.get('cookie');
  return new Headers(cookie === null ? {} : { cookie });
}

function createAuth(ctx: Ctx, secret: string) {
  return betterAuth({
    ...authOptions(ctx, secret),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: 12,
      maxPasswordLength: 200,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    plugins: [twoFactor({ issuer: 'Assay' }), passkeyPlugin(ctx.env)],
    databaseHooks: {
      session: {
        create: {
          // After the password was checked: a stranger does not learn who is an operator.
          before: async ({ userId }) => {
            if (ctx.env.singleSignOn?.passwords !== 'off') return;
            const [user] = await ctx.db
              .select({ operator: schema.users.operator })
              .from(schema.users)
              .where(eq(schema.users.id, userId));
            if (user?.operator !== true) throw new APIError('FORBIDDEN');
          },
        },
      },
    },
  });
}

function answerError(ctx: Ctx, error: unknown): Response {
  const known = asAssayError(error);
  if (known.code === 'invalid_request')
    return Response.json(
      { code: 'BAD_REQUEST', message: asSentence(known.message) },
      { status: 400 },
    );
  if (known.code === 'unauthorized')
    return Response.json(
      { code: 'UNAUTHORIZED', message: asSentence(known.message) },
      { status: 401 },
    );
  if (known.code === 'unavailable')
    return Response.json(
      { code: 'UNAVAILABLE', message: asSentence(known.message) },
      { status: 503, headers: { 'retry-after': '1' } },
    );
  if (known.code === 'rate_limited') {
    return Response.json(
      { code: 'TOO_MANY_REQUESTS', message: asSentence(known.message) },
      { status: 429, headers: { 'retry-after': String(known.retryAfterS ?? 60) } },
    );
  }
  const requestId = newId('req', ctx.clock.now());
  ctx.log.error({ err: error, requestId }, 'sign-in failed');
  return Response.json(
    {
      code: 'UNAVAILABLE',
      message: 'Sign-in is not available at the moment. Try again.',
      requestId,
    },
    { status: 503, headers: { 'retry-after': '1', 'x-request-id': requestId } },
  );
}
