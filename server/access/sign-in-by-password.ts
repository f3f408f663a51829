import { type Ctx, invalid, sourceOf } from '../platform';
import { cookiesOf } from './auth-options';
import { SignIn } from './input';
import { withPasswordSlot } from './passwords';
import type { SignInParts } from './sign-in-parts';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

export const passwordPath = '/api/auth/sign-in/email';

/** Signs in by e-mail and password; `needsCode` if two-step sign-in is on. */
export async function signInWithPassword(
  ctx: Ctx,
  { call, devices }: SignInParts,
  request: Request,
): Promise<Response> {
  const { email, password } = await readSignIn(request);
  const deviceId = devices.find(request.headers.get('cookie'), email);
  const attempt = { email, deviceId, source: sourceOf(ctx.env.trustedProxies, request.headers) };
  await countSignInAttempt(ctx, attempt);
  const lane = deviceId === null ? 'new' : 'known';
  // better-auth also hashes once for an address without an account, so both take the same time.
  const response = await withPasswordSlot(lane, () =>
    call(request, passwordPath, { email, password }),
  );
  if (!response.ok) return refusedAnswer(response.status);
  // The attempts are forgotten, and the device known, after the code.
  if (await needsCode(response))
    return Response.json({ ok: true, needsCode: true }, { headers: cookiesOf(response) });
  await clearSignInAttempts(ctx, attempt);
  // Its own response repeats the session's token, which belongs only in the cookie.
  const headers = cookiesOf(response);
  headers.append('set-cookie', devices.issue(email, deviceId));
  return Response.json({ ok: true }, { headers });
}

/** Whether the password was right, and a code is required next. */
async function needsCode(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof body === 'object' && body !== null && 'twoFactorRedirect' in body;
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
