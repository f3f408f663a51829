import { isIP } from 'node:net';
import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth';
import { and, count, desc, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type Ctx, type Env, invalid, sourceOf, unauthorized } from '../platform';
import { cookiesOf } from './auth-options';
import { NewPasskey, PasskeyId, PasskeyResponse } from './input';
import { checkOwnPassword, recordOwnChange } from './own-password';
import type { SignedIn } from './sessions';
import type { CurrentSession, SignInParts, SignInStep } from './sign-in-parts';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

/** Where passkeys sign in and are managed. */
export const passkeyPaths = {
  signInOptions: '/api/auth/passkeys/sign-in-options',
  signIn: '/api/auth/passkeys/sign-in',
  setUp: '/api/auth/passkeys/set-up',
  confirm: '/api/auth/passkeys/confirm',
  remove: '/api/auth/passkeys/remove',
} as const;

/** Passkeys of an account at most. */
export const passkeysMax = 20;

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
}

/**
 * Passkeys of better-auth. The device must have verified its user, by a fingerprint or a PIN:
 * possession and that together replace the password and the second step.
 */
export const passkeyPlugin = ({ webUrl }: Pick<Env, 'webUrl'>) =>
  passkey({
    rpName: 'Assay',
    rpID: new URL(webUrl).hostname,
    origin: new URL(webUrl).origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      afterVerification: ({ verification }) => {
        if (verification.registrationInfo?.userVerified !== true) throw new APIError('BAD_REQUEST');
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw new APIError('UNAUTHORIZED');
      },
    },
  });

/** Whether browsers offer passkeys at this address: only for a name, over HTTPS or on localhost. */
export function canUsePasskeys({ webUrl }: Pick<Env, 'webUrl'>): boolean {
  const { protocol, hostname } = new URL(webUrl);
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** Signing in by a passkey, and adding and removing them, by path. */
export const passkeySteps: ReadonlyMap<string, SignInStep> = new Map([
  [passkeyPaths.signInOptions, offerSignIn],
  [passkeyPaths.signIn, signInByPasskey],
  [passkeyPaths.setUp, startAdding],
  [passkeyPaths.confirm, finishAdding],
  [passkeyPaths.remove, removePasskey],
]);

async function offerSignIn(ctx: Ctx, { call }: SignInParts, request: Request): Promise<Response> {
  // Counted here, because each call stores a challenge, and none verifies without one.
  await countSignInAttempt(ctx, sourceAttempt(ctx, request));
  await ctx.sql`
    delete from auth_verifications where id in (
      select id from auth_verifications where expires_at <= now()
      limit 100 for update skip locked)`;
  const response = await call(request, '/api/auth/passkey/generate-authenticate-options');
  const options = await read(response);
  return Response.json(
    { ...options, userVerification: 'required' },
    { headers: noStore(response) },
  );
}

async function signInByPasskey(
  ctx: Ctx,
  { call, devices }: SignInParts,
  request: Request,
): Promise<Response> {
  const body = PasskeyResponse.safeParse(await request.json().catch(() => null));
  if (!body.success) throw invalid('`response` of the passkey is required');
  const response = await call(request, '/api/auth/passkey/verify-authentication', body.data);
  if (response.status === 403)
    throw unauthorized('passkeys are switched off for this account; use single sign-on');
  if (!response.ok) throw unauthorized('the passkey is not known here, or has expired');
  const { email } = userOf(await read(response));
  await clearSignInAttempts(ctx, sourceAttempt(ctx, request));
  const headers = cookiesOf(response);
  const known = devices.find(request.headers.get('cookie'), email);
  headers.append('set-cookie', devices.issue(email, known));
  return Response.json({ ok: true }, { headers });
}

async function startAdding(
  ctx: Ctx,
  { call, checkPassword, find }: SignInParts,
  request: Request,
): Promise<Response> {
  const { current, response: checked } = await checkOwnPassword(ctx, {
    request,
    find,
    check: (password) => checkPassword(request, password),
  });
  if (!checked.ok)
    throw invalid('the password is wrong', [{ path: 'password', message: 'is wrong' }]);
  await refuseMore(ctx, current.user);
  const response = await call(request, '/api/auth/passkey/generate-register-options');
  return Response.json(await read(response), { headers: noStore(response) });
}

async function finishAdding(
  ctx: Ctx,
  { call, find }: SignInParts,
  request: Request,
): Promise<Response> {
  const { user } = await signedIn(find, request);
  const body = NewPasskey.safeParse(await request.json().catch(() => null));
  if (!body.success)
    throw invalid('`name` must have 1 to 60 characters, and `response` is required', [
      { path: 'name', message: '1 to 60 characters' },
    ]);
  await refuseMore(ctx, user);
  const path = '/api/auth/passkey/verify-registration';
  const response = await call(request, path, body.data);
  if (!response.ok)
    throw invalid('the passkey was not verified, or the set-up took over 5 min; start again');
  await recordOwnChange(ctx, user, 'accounts.addPasskey', { name: body.data.name });
  return Response.json({ ok: true }, { headers: cookiesOf(response) });
}

async function removePasskey(ctx: Ctx, { find }: SignInParts, request: Request): Promise<Response> {
  const { user } = await signedIn(find, request);
  const body = PasskeyId.safeParse(await request.json().catch(() => null));
  if (!body.success) throw invalid('`id` of the passkey is required');
  const { authPasskeys } = schema;
  const [removed] = await ctx.db
    .delete(authPasskeys)
    .where(and(eq(authPasskeys.userId, user.id), eq(authPasskeys.id, body.data.id)))
    .returning({ name: authPasskeys.name });
  if (removed === undefined) throw invalid('this passkey is no longer in your account');
  await recordOwnChange(ctx, user, 'accounts.removePasskey', { name: removed.name });
  return Response.json({ ok: true });
}

const sourceAttempt = (ctx: Ctx, request: Request) => ({
  email: null,
  deviceId: null,
  source: sourceOf(ctx.env.trustedProxies, request.headers),
});

async function signedIn(find: SignInParts['find'], request: Request): Promise<CurrentSession> {
  const current = await find(request.headers);
  if (current === null) throw unauthorized('sign in first');
  return current;
}

/** The passkeys of an account, newest first. */
export async function listPasskeys(ctx: Pick<Ctx, 'db'>, userId: string): Promise<Passkey[]> {
  const { authPasskeys } = schema;
  const rows = await ctx.db
    .select({ id: authPasskeys.id, name: authPasskeys.name, createdAt: authPasskeys.createdAt })
    .from(authPasskeys)
    .where(eq(authPasskeys.userId, userId))
    .orderBy(desc(authPasskeys.createdAt), desc(authPasskeys.id))
    .limit(passkeysMax);
  return rows.map((row) => ({ ...row, name: row.name ?? '' }));
}

async function refuseMore(ctx: Ctx, user: SignedIn): Promise<void> {
  const [found] = await ctx.db
    .select({ n: count() })
    .from(schema.authPasskeys)
    .where(eq(schema.authPasskeys.userId, user.id));
  if ((found?.n ?? 0) >= passkeysMax)
    throw invalid(`the account has ${passkeysMax} passkeys, the most allowed; remove one first`);
}

async function read(response: Response): Promise<Readonly<Record<string, unknown>>> {
  if (!response.ok) throw new Error(`better-auth answered ${response.status}`);
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null ? { ...body } : {};
}

function userOf({ user }: Readonly<Record<string, unknown>>): { readonly email: string } {
  if (typeof user !== 'object' || user === null || !('email' in user))
    throw new Error('better-auth answered without the user');
  return { email: String(user.email) };
}

/** A challenge counts once, for its browser. */
function noStore(response: Response): Headers {
  const headers = cookiesOf(response);
  headers.set('cache-control', 'no-store');
  return headers;
}
