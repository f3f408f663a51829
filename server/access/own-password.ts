import { type Ctx, invalid, unauthorized } from '../platform';
import type { Actor } from './actor';
import { recordAudit } from './audit';
import { OwnPassword } from './input';
import { withPasswordSlot } from './passwords';
import type { SignedIn } from './sessions';
import type { CurrentSession, SignInParts } from './sign-in-parts';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

interface PasswordCheck {
  readonly request: Request;
  readonly find: SignInParts['find'];
  /** Answers with a status below 300 if the password is right. */
  readonly check: (password: string) => Promise<Response>;
}

/**
 * Checks the password in the body of `request`, which must have a session: a change of the sign-in
 * methods needs both. Wrong passwords count against the session only.
 * @throws AssayError unauthorized, invalid_request, rate_limited
 */
export async function checkOwnPassword(
  ctx: Ctx,
  { request, find, check }: PasswordCheck,
): Promise<{ readonly current: CurrentSession; readonly response: Response }> {
  const current = await find(request.headers);
  if (current === null) throw unauthorized('sign in first');
  const body = OwnPassword.safeParse(await request.json().catch(() => null));
  if (!body.success) throw invalid('`password` is required');
  const attempt = {
    email: current.user.email,
    source: null,
    deviceId: `session ${current.id}`,
  };
  await countSignInAttempt(ctx, attempt);
  const response = await withPasswordSlot('known', () => check(body.data.password));
  if (response.ok) await clearSignInAttempts(ctx, attempt);
  return { current, response };
}

/** Audits a user's changes to the own account. */
export async function recordOwnChange(
  ctx: Ctx,
  user: SignedIn,
  action: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const actor: Actor = {
    kind: 'user',
    id: user.id,
    label: user.email,
    role: null,
    operator: user.operator,
  };
  await recordAudit(ctx, ctx.db, actor, { projectId: null, action, target: user.email, detail });
}
