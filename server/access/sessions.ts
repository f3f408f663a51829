import { APIError, betterAuth } from 'better-auth';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { eq } from 'drizzle-orm';
import { schema } from '../../db';
import {
  asAssayError,
  asSentence,
  type Ctx,
  invalid,
  newId,
  sourceOf,
  unavailable,
} from '../platform';
import { authOptions, cookiesOf } from './auth-options';
import { SignIn } from './input';
import { createKnownDevices } from './known-device';
import { hashPassword, verifyPassword, withPasswordSlot } from './passwords';
import { createSecondFactor } from './second-factor';
import { countSignInTry, forgetSignInTries } from './sign-in-limit';
import { createSingleSignOn, ssoCallbackPath, ssoStartPath } from './single-sign-on';

export interface SignedIn {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly operator: boolean;
}

export interface UserSessions {
  /**
   * Signs in and out, and manages two-step sign-in, through better-auth; all its other routes are 404. The request must have
   * passed `admitOwn`, except for the callback of single sign-on, which another site redirects to.
   */
  handle(request: Request): Promise<Response>;
  /** The user of the request's cookie, or null. @throws AssayError unavailable */
  find(headers: Headers): Promise<SignedIn | null>;
  /** The session id of the request's cookie, or null. @throws AssayError unavailable */
  findId(headers: Headers): Promise<string | null>;
}

const signInPath = '/api/auth/sign-in/email';
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
      // 401: the session ended during the read. Any other error is a storage fault, whatever
      // better-auth reports.
      if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) return null;
      ctx.log.warn({ err: error }, 'session not looked up');
      throw unavailable('the session cannot be checked at the moment; try again');
    }
  }

  async function signIn(request: Request): Promise<Response> {
    const { email, password } = await readSignIn(request);
    const deviceId = devices.find(request.headers.get('cookie'), email);
    const attempt = { email, deviceId, source: sourceOf(ctx.env.trustedProxies, request.headers) };
    await countSignInTry(ctx, attempt);
    const lane = deviceId === null ? 'new' : 'known';
    // better-auth also hashes once for an address without an account, so both take the same time.
    const response = await withPasswordSlot(lane, () =>
      passOn(ctx, auth, request, { path: signInPath, body: { email, password } }),
    );
    if (!response.ok) return refusedAnswer(response.status);
    // The attempts are forgotten, and the device known, after the code.
    if (await needsCode(response))
      return Response.json({ ok: true, needsCode: true }, { headers: cookiesOf(response) });
    await forgetSignInTries(ctx, attempt);
    // Its own response repeats the session's token, which belongs only in the cookie.
    const headers = cookiesOf(response);
    headers.append('set-cookie', devices.issue(email, deviceId));
    return Response.json({ ok: true }, { headers });
  }

  const secondFactor = createSecondFactor(ctx, {
    devices,
    call: (request, path, body) => passOn(ctx, auth, request, { path, body }),
    async find(headers) {
      const found = await read(headers);
      return found === null ? null : { id: found.session.id, user: asSignedIn(found.user) };
    },
  });

  return {
    async handle(request) {
      const { pathname } = new URL(request.url);
      const secondStep = request.method === 'POST' ? secondFactor.get(pathname) : undefined;
      if (secondStep !== undefined)
        return secondStep(request).catch((error: unknown) => answerError(ctx, error));
      if (request.method === 'POST' && pathname === signInPath)
        return signIn(request).catch((error: unknown) => answerError(ctx, error));
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

/** Whether the password was right, and a code is required next. */
async function needsCode(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'twoFactorRedirect' in body;
}

/**
 * Calls better-auth with only the required input: no forwarded header, foreign host or extra field
 * reaches it.
 */
function passOn(
  { env }: Ctx,
  auth: ReturnType<typeof createAuth>,
  request: Request,
  { path, body }: { readonly path: string; readonly body: unknown },
): Promise<Response> {
  const headers = new Headers({
    'content-type': 'application/json',
    origin: new URL(env.webUrl).origin,
  });
  const cookie = request.headers.get('cookie');
  if (cookie !== null) headers.set('cookie', cookie);
  headers.set('user-agent', (request.headers.get('user-agent') ?? '').slice(0, 300));
  return auth.handler(
    new Request(new URL(path, env.webUrl), { method: 'POST', headers, body: JSON.stringify(body) }),
  );
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
    plugins: [twoFactor({ issuer: 'Assay' })],
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

async function readSignIn(request: Request): Promise<SignIn> {
  const body: unknown = await request.json().catch(() => null);
  const parsed = SignIn.safeParse(body);
  if (!parsed.success) throw invalid('`email` and `password` are required');
  return parsed.data;
}

function refusedAnswer(status: number): Response {
  if (status === 403)
    return Response.json(
      {
        code: 'PASSWORDS_OFF',
        message: 'Passwords are switched off for this account. Use single sign-on.',
      },
      { status: 401 },
    );
  if (status >= 500)
    return Response.json(
      { code: 'UNAVAILABLE', message: 'The password cannot be checked at the moment. Try again.' },
      { status: 503, headers: { 'retry-after': '1' } },
    );
  return Response.json(
    { code: 'UNAUTHORIZED', message: 'The e-mail address or the password is wrong.' },
    { status: 401 },
  );
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
