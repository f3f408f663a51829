import { and, eq, isNull, ne } from 'drizzle-orm';
import { schema } from '../../db';
import {
  type Ctx,
  type Database,
  forbidden,
  invalid,
  newId,
  newSecret,
  notFound,
  sha256,
} from '../platform';
import type { Actor, ProjectCtx } from './actor';
import { recordAudit } from './audit';
import { getClaimState, noOpenLink, consumeClaim } from './claims';
import type { ChangePassword, ResetPassword } from './input';
import { lockMembers } from './members';
import { hashPassword, verifyPassword, withPasswordSlot } from './passwords';
import { countSignInAttempt, clearSignInAttempts } from './sign-in-limit';

const linkHours = 24;
const isOpen = and(isNull(schema.claims.usedAt), isNull(schema.claims.revokedAt));

/**
 * Changes the password of the signed-in account. Every other session of it ends, and open links
 * that would set its password stop working. Attempts at the current password are limited per
 * session, so that no one else can exhaust the limit.
 * @param keepSession the id of the current session
 * @throws AssayError invalid_request (the current password is wrong), rate_limited
 */
export async function changePassword(
  ctx: Ctx,
  user: { readonly id: string; readonly email: string; readonly operator: boolean },
  keepSession: string,
  input: ChangePassword,
): Promise<void> {
  const attempt = { email: user.email, source: null, deviceId: `session ${keepSession}` };
  await countSignInAttempt(ctx, attempt);
  const hash = await findHash(ctx.db, user.id);
  const next = await withPasswordSlot('known', async () => {
    const isRight =
      hash !== null && (await verifyPassword({ hash, password: input.currentPassword }));
    return isRight ? hashPassword(input.newPassword) : null;
  });
  if (next === null)
    throw invalid('the current password is wrong', [
      { path: 'currentPassword', message: 'is wrong' },
    ]);
  await ctx.db.transaction(async (tx) => {
    // Of two concurrent changes the later one fails: its current password is no longer the checked
    // one.
    if ((await findHash(tx, user.id)) !== hash)
      throw invalid('the password was changed in the meantime; sign in again');
    await setPassword(ctx, tx, user.id, next);
    await tx
      .delete(schema.authSessions)
      .where(and(eq(schema.authSessions.userId, user.id), ne(schema.authSessions.id, keepSession)));
    const actor: Actor = {
      kind: 'user',
      id: user.id,
      label: user.email,
      role: null,
      operator: user.operator,
    };
    await recordAudit(ctx, tx, actor, {
      projectId: null,
      action: 'accounts.changePassword',
      target: user.email,
    });
  });
  await clearSignInAttempts(ctx, attempt);
}

/**
 * A one-time link that sets another password for a member's account, for 24 hours; earlier ones
 * stop working. An account may belong to several projects: only an operator, or the owner of every
 * project that the member belongs to, may issue it, and never for an operator, whose link comes
 * from the command line.
 * @param all connections that see every project
 * @throws AssayError not_found, forbidden
 */
export async function issuePasswordLink(
  ctx: ProjectCtx,
  all: Ctx,
  userId: string,
): Promise<{ url: string }> {
  const { members, users } = schema;
  const [target] = await all.db
    .select({ email: users.email, operator: users.operator })
    .from(users)
    .where(eq(users.id, userId));
  return all.db.transaction(async (tx) => {
    const { rows, by } = await lockMembers(ctx, tx);
    if (target === undefined || !rows.some((row) => row.userId === userId))
      throw notFound('member');
    if (by !== 'owner') throw forbidden('only an owner can reset passwords');
    if (target.operator)
      throw forbidden(
        "an operator's password is reset on the server itself: run assay owner password-link --email EMAIL",
      );
    if (ctx.actor.kind === 'user' && !ctx.actor.operator) {
      const memberships = await tx.select().from(members).where(eq(members.userId, userId));
      const ownMemberships = await tx
        .select()
        .from(members)
        .where(eq(members.userId, ctx.actor.id));
      const owned = new Set(
        ownMemberships.filter(({ role }) => role === 'owner').map(({ projectId }) => projectId),
      );
      if (!memberships.every(({ projectId }) => owned.has(projectId))) {
        throw forbidden(
          'the member belongs to projects that you do not own; ask an operator to reset this password',
        );
      }
    }
    const url = await insertPasswordLink(ctx, tx, {
      userId,
      email: target.email,
      projectId: ctx.projectId,
      by: ctx.actor.label,
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.issuePasswordLink',
      target: target.email,
    });
    return { url };
  });
}

/**
 * The same for any account, for the command line on the machine itself. @throws AssayError
 * not_found
 */
export async function issuePasswordLinkByEmail(
  ctx: Ctx,
  actor: Actor,
  email: string,
): Promise<{ url: string }> {
  if (actor.kind !== 'system')
    throw forbidden('only the command line can issue a link for any account');
  return ctx.db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: schema.users.id })
      .from(schema.users)
      .where(eq(schema.users.email, email));
    if (user === undefined) throw notFound('account');
    const url = await insertPasswordLink(ctx, tx, {
      userId: user.id,
      email,
      projectId: null,
      by: actor.label,
    });
    await recordAudit(ctx, tx, actor, {
      projectId: null,
      action: 'accounts.issuePasswordLink',
      target: email,
    });
    return { url };
  });
}

/**
 * Sets the password by a one-time link: every session of the account ends.
 * @throws AssayError not_found (link unknown, used, revoked, expired), rate_limited
 */
export async function resetPassword(ctx: Ctx, input: ResetPassword): Promise<{ email: string }> {
  // Before any hashing, which is expensive: invented tokens must not keep this process busy.
  const { state, kind } = await getClaimState(ctx, input.token);
  if (state !== 'open' || kind !== 'password') throw noOpenLink();
  const hash = await withPasswordSlot('new', () => hashPassword(input.password));
  const email = await ctx.db.transaction(async (tx) => {
    const claim = await consumeClaim(ctx, tx, input.token);
    if (claim?.kind !== 'password' || claim.userId === null || claim.email === null)
      throw noOpenLink();
    await setPassword(ctx, tx, claim.userId, hash);
    await tx.delete(schema.authSessions).where(eq(schema.authSessions.userId, claim.userId));
    const actor: Actor = {
      kind: 'user',
      id: claim.userId,
      label: claim.email,
      role: null,
      operator: false,
    };
    await recordAudit(ctx, tx, actor, {
      projectId: null,
      action: 'accounts.resetPassword',
      target: claim.email,
      detail: { linkBy: claim.createdBy },
    });
    return claim.email;
  });
  // Attempts with the old password no longer lock the account.
  await clearSignInAttempts(ctx, { email, source: null, deviceId: null });
  return { email };
}

async function findHash(db: Database, userId: string): Promise<string | null> {
  const { authAccounts } = schema;
  const [found] = await db
    .select({ hash: authAccounts.password })
    .from(authAccounts)
    .where(and(eq(authAccounts.userId, userId), eq(authAccounts.providerId, 'credential')))
    .for('update');
  return found?.hash ?? null;
}

async function setPassword(ctx: Ctx, tx: Database, userId: string, hash: string): Promise<void> {
  const { authAccounts } = schema;
  const now = ctx.clock.now();
  await tx
    .update(authAccounts)
    .set({ password: hash, updatedAt: now })
    .where(and(eq(authAccounts.userId, userId), eq(authAccounts.providerId, 'credential')));
  await revokePasswordLinks(ctx, tx, userId);
}

async function revokePasswordLinks(
  ctx: Pick<Ctx, 'clock'>,
  tx: Database,
  userId: string,
): Promise<void> {
  const { claims } = schema;
  await tx
    .update(claims)
    .set({ revokedAt: ctx.clock.now() })
    .where(and(eq(claims.kind, 'password'), eq(claims.userId, userId), isOpen));
}

async function insertPasswordLink(
  ctx: Pick<Ctx, 'clock' | 'env'>,
  tx: Database,
  {
    userId,
    email,
    projectId,
    by,
  }: {
    readonly userId: string;
    readonly email: string;
    readonly projectId: string | null;
    readonly by: string;
  },
): Promise<string> {
  await revokePasswordLinks(ctx, tx, userId);
  const token = newSecret();
  const now = ctx.clock.now();
  await tx.insert(schema.claims).values({
    id: newId('clm', now),
    kind: 'password',
    tokenHash: sha256(token),
    projectId,
    userId,
    email,
    createdBy: by,
    expiresAt: new Date(now.getTime() + linkHours * 3_600_000),
  });
  return `${ctx.env.webUrl}/claim?token=${token}`;
}
