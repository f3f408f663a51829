import { and, eq, ne } from 'drizzle-orm';
import { schema } from '../../db';
import { type Ctx, invalid, notFound, rateLimited, sourceOf, unauthorized } from '../platform';
import type { Actor } from './actor';
import { recordAudit } from './audit';
import { cookiesOf } from './auth-options';
import { SecondFactorCode } from './input';
import { checkOwnPassword, recordOwnChange } from './own-password';
import type { CurrentSession, SignInParts, SignInStep } from './sign-in-parts';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

/** Where the second step of signing in is taken and managed. */
export const secondFactorPaths = {
  signIn: '/api/auth/second-factor',
  setUp: '/api/auth/second-factor/set-up',
  confirm: '/api/auth/second-factor/confirm',
  renewCodes: '/api/auth/second-factor/backup-codes',
  turnOff: '/api/auth/second-factor/turn-off',
} as const;

/**
 * The second step of signing in by password, by path: codes of an authenticator app (TOTP, RFC 6238)
 * or backup codes. Codes, secrets and the lock after wrong codes are better-auth's.
 */
export const secondFactorSteps: ReadonlyMap<string, SignInStep> = new Map([
  [secondFactorPaths.signIn, verifyCode],
  [secondFactorPaths.setUp, startSetUp],
  [secondFactorPaths.confirm, finishSetUp],
  [secondFactorPaths.renewCodes, renewCodes],
  [secondFactorPaths.turnOff, turnOff],
]);

async function verifyCode(
  ctx: Ctx,
  { call, devices }: SignInParts,
  request: Request,
): Promise<Response> {
  const { code } = await readCode(request);
  const source = sourceOf(ctx.env.trustedProxies, request.headers);
  await countSignInAttempt(ctx, { email: null, deviceId: null, source });
  const response = await call(request, verifyPath(code), { code });
  if (!response.ok) throw await signInFault(response);
  const email = emailOf(await response.json());
  const deviceId = devices.find(request.headers.get('cookie'), email);
  await clearSignInAttempts(ctx, { email, deviceId, source });
  const headers = cookiesOf(response);
  headers.append('set-cookie', devices.issue(email, deviceId));
  return Response.json({ ok: true }, { headers });
}

async function startSetUp(ctx: Ctx, parts: SignInParts, request: Request): Promise<Response> {
  const { response } = await withPassword(ctx, parts, request, '/api/auth/two-factor/enable');
  if (!response.ok) throw await passwordFault(response);
  const { totpURI, backupCodes } = (await response.json()) as {
    totpURI: string;
    backupCodes: string[];
  };
  return Response.json({ uri: totpURI, backupCodes }, { headers: noStore(response) });
}

async function finishSetUp(
  ctx: Ctx,
  { call, find }: SignInParts,
  request: Request,
): Promise<Response> {
  const current = await find(request.headers);
  if (current === null) throw unauthorized('sign in first');
  const { code } = await readCode(request);
  const attempt = { email: null, deviceId: `session ${current.id}`, source: null };
  await countSignInAttempt(ctx, attempt);
  const response = await call(request, '/api/auth/two-factor/verify-totp', { code });
  if (!response.ok) throw invalid('the code is wrong', [{ path: 'code', message: 'is wrong' }]);
  await clearSignInAttempts(ctx, attempt);
  const headers = cookiesOf(response);
  await endOtherSessions(ctx, current.user.id, await find(asRequest(headers)));
  await recordOwnChange(ctx, current.user, 'accounts.turnOnSecondFactor');
  return Response.json({ ok: true }, { headers });
}

async function renewCodes(ctx: Ctx, parts: SignInParts, request: Request): Promise<Response> {
  const { current, response } = await withPassword(
    ctx,
    parts,
    request,
    '/api/auth/two-factor/generate-backup-codes',
  );
  if (!response.ok) throw await passwordFault(response);
  const { backupCodes } = (await response.json()) as { backupCodes: string[] };
  await recordOwnChange(ctx, current.user, 'accounts.renewBackupCodes');
  return Response.json({ backupCodes }, { headers: noStore(response) });
}

async function turnOff(ctx: Ctx, parts: SignInParts, request: Request): Promise<Response> {
  const { current, response } = await withPassword(
    ctx,
    parts,
    request,
    '/api/auth/two-factor/disable',
  );
  if (!response.ok) throw await passwordFault(response);
  await recordOwnChange(ctx, current.user, 'accounts.turnOffSecondFactor');
  return Response.json({ ok: true }, { headers: cookiesOf(response) });
}

/** Checks the password by `path` of better-auth, which also does the change. */
const withPassword = (ctx: Ctx, { call, find }: SignInParts, request: Request, path: string) =>
  checkOwnPassword(ctx, { request, find, check: (password) => call(request, path, { password }) });

/** Whether the account needs a code to sign in by password. */
export async function hasSecondFactor(ctx: Pick<Ctx, 'db'>, userId: string): Promise<boolean> {
  const [user] = await ctx.db
    .select({ on: schema.users.twoFactorEnabled })
    .from(schema.users)
    .where(eq(schema.users.id, userId));
  return user?.on === true;
}

/**
 * Turns the second step off for an account whose app and backup codes are lost, and ends its
 * sessions. For the command line on the machine itself.
 * @throws AssayError not_found
 */
export async function turnOffSecondFactor(ctx: Ctx, actor: Actor, email: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { authSessions, authTwoFactors, users } = schema;
    const [user] = await tx
      .update(users)
      .set({ twoFactorEnabled: false, updatedAt: ctx.clock.now() })
      .where(eq(users.email, email))
      .returning({ id: users.id });
    if (user === undefined) throw notFound('account');
    await tx.delete(authTwoFactors).where(eq(authTwoFactors.userId, user.id));
    await tx.delete(authSessions).where(eq(authSessions.userId, user.id));
    await recordAudit(ctx, tx, actor, {
      projectId: null,
      action: 'accounts.turnOffSecondFactor',
      target: email,
    });
  });
}

async function readCode(request: Request): Promise<{ readonly code: string }> {
  const body = SecondFactorCode.safeParse(await request.json().catch(() => null));
  if (!body.success)
    throw invalid('`code` must be the six digits of the app, or a backup code', [
      { path: 'code', message: 'six digits, or a backup code' },
    ]);
  return body.data;
}

const verifyPath = (code: string): string =>
  /^\d{6}$/.test(code)
    ? '/api/auth/two-factor/verify-totp'
    : '/api/auth/two-factor/verify-backup-code';

/** The reason why a code was not accepted, derived from better-auth's error code. */
async function signInFault(response: Response): Promise<Error> {
  const code = await faultCode(response);
  if (response.status === 429)
    return rateLimited('too many wrong codes for this account; try again in 15 min', 900);
  if (/COOKIE|TOO_MANY/.test(code))
    return unauthorized('the sign-in has expired; enter your password again');
  return invalid('the code is wrong', [{ path: 'code', message: 'is wrong' }]);
}

async function passwordFault(response: Response): Promise<Error> {
  const code = await faultCode(response);
  if (code === 'TOTP_ALREADY_ENABLED') return invalid('two-step sign-in is already on');
  if (code === 'INVALID_PASSWORD')
    return invalid('the password is wrong', [{ path: 'password', message: 'is wrong' }]);
  return invalid('two-step sign-in is not on');
}

async function faultCode(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
}

function emailOf(body: unknown): string {
  const user =
    typeof body === 'object' && body !== null && 'user' in body ? body.user : { email: '' };
  return typeof user === 'object' && user !== null && 'email' in user ? String(user.email) : '';
}

/** Secrets that are shown once must not be cached. */
function noStore(response: Response): Headers {
  const headers = cookiesOf(response);
  headers.set('cache-control', 'no-store');
  return headers;
}

const asRequest = (answer: Headers): Headers =>
  new Headers({
    cookie: answer
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0] ?? '')
      .join('; '),
  });

/** Someone who knows only the password must not stay signed in. */
async function endOtherSessions(
  ctx: Ctx,
  userId: string,
  keptSession: CurrentSession | null,
): Promise<void> {
  const { authSessions } = schema;
  await ctx.db
    .delete(authSessions)
    .where(and(eq(authSessions.userId, userId), ne(authSessions.id, keptSession?.id ?? '')));
}
