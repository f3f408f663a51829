import { and, eq, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { conflict, type Ctx, type Database, forbidden, notFound } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import { type KeysOfMember, releaseKeysOf } from './member-keys';
import { permissionsOf, type Role } from './roles';

/**
 * A change of members, made under their lock: two removals cannot remove the last two owners at
 * once (S-14).
 */
export interface MemberChange {
  readonly rows: readonly { readonly userId: string; readonly role: Role }[];
  /** The actor's current role: a role lost during the request no longer counts. */
  readonly by: Role;
}

/**
 * Locks the project's members. @throws AssayError not_found, forbidden if the actor may not, or no
 * longer, change members
 */
export async function lockMembers(ctx: ProjectCtx, tx: Database): Promise<MemberChange> {
  const rows = await tx
    .select({ userId: schema.members.userId, role: schema.members.role })
    .from(schema.members)
    .where(eq(schema.members.projectId, ctx.projectId))
    .orderBy(sql`user_id`)
    .for('update');
  if (ctx.actor.kind === 'system') return { rows, by: 'owner' };
  const own = rows.find((row) => row.userId === ctx.actor.id);
  if (own === undefined) throw notFound('project');
  if (!permissionsOf[own.role].includes('members.write'))
    throw forbidden(`your role "${own.role}" does not allow this`);
  return { rows, by: own.role };
}

function checkChange({ rows, by }: MemberChange, userId: string, next: Role | null): Role {
  const member = rows.find((row) => row.userId === userId);
  if (member === undefined) throw notFound('member');
  if ((member.role === 'owner' || next === 'owner') && by !== 'owner')
    throw forbidden('only an owner can change owners');
  if (
    member.role === 'owner' &&
    next !== 'owner' &&
    rows.filter((row) => row.role === 'owner').length === 1
  ) {
    throw conflict('a project must have at least one owner');
  }
  return member.role;
}

/**
 * Open invitations and password links grant permissions too: they end with those of their creator.
 */
async function revokeInvitationsOf(
  ctx: ProjectCtx,
  tx: Database,
  userId: string,
  now: Role | null,
): Promise<void> {
  const { claims, users } = schema;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (user === undefined || now === 'owner') return;
  const stillInvites = now !== null && permissionsOf[now].includes('members.write');
  // Only owners invite owners and reset passwords.
  const ofOwners = or(eq(claims.role, 'owner'), eq(claims.kind, 'password'));
  const made = and(eq(claims.createdBy, user.email), stillInvites ? ofOwners : undefined);
  await tx
    .update(claims)
    .set({ revokedAt: ctx.clock.now() })
    .where(
      and(
        eq(claims.projectId, ctx.projectId),
        isNull(claims.usedAt),
        isNull(claims.revokedAt),
        // A link of this project for an account that left it ends too.
        now === null ? or(made, eq(claims.userId, userId)) : made,
      ),
    );
}

/**
 * Changes a member's role. A member whose role cannot manage keys may own none: the member's keys
 * are revoked, or handed over by choice.
 * @throws AssayError not_found, forbidden, conflict (the last owner), refused (no such receiver of
 * keys)
 */
export async function changeRole(
  ctx: ProjectCtx,
  input: { readonly userId: string; readonly role: Role } & Partial<KeysOfMember>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const change = await lockMembers(ctx, tx);
    const before = checkChange(change, input.userId, input.role);
    const choice: KeysOfMember = { keys: input.keys ?? 'revoke', handTo: input.handTo };
    const keepsKeys = permissionsOf[input.role].includes('keys.write');
    const keys = keepsKeys
      ? []
      : await releaseKeysOf(ctx, tx, { userId: input.userId, rows: change.rows, choice });
    await tx
      .update(schema.members)
      .set({ role: input.role })
      .where(
        and(eq(schema.members.projectId, ctx.projectId), eq(schema.members.userId, input.userId)),
      );
    await revokeInvitationsOf(ctx, tx, input.userId, input.role);
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.changeRole',
      target: input.userId,
      detail: {
        before,
        after: input.role,
        ...(keys.length > 0 && { keys: choice.keys, keyIds: keys }),
      },
    });
  });
}

/**
 * Removes a member and everything that would outlast the membership: the member's keys are revoked,
 * or handed over by choice; open invitations are revoked; private saved views are deleted, shared
 * ones stay. An account without any remaining project loses its sessions, for which `all` must see
 * every project.
 * @throws AssayError not_found, forbidden, conflict (the last owner), refused (no such receiver of
 * keys)
 */
export async function removeMember(
  ctx: ProjectCtx,
  userId: string,
  choice: KeysOfMember = { keys: 'revoke' },
  all: Ctx | null = null,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const change = await lockMembers(ctx, tx);
    const before = checkChange(change, userId, null);
    const keys = await releaseKeysOf(ctx, tx, { userId, rows: change.rows, choice });
    await tx
      .delete(schema.savedViews)
      .where(
        and(
          eq(schema.savedViews.projectId, ctx.projectId),
          eq(schema.savedViews.ownerId, userId),
          eq(schema.savedViews.shared, false),
        ),
      );
    await tx
      .delete(schema.members)
      .where(and(eq(schema.members.projectId, ctx.projectId), eq(schema.members.userId, userId)));
    await revokeInvitationsOf(ctx, tx, userId, null);
    const detail = { before, ...(keys.length > 0 && { keys: choice.keys, keyIds: keys }) };
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.remove',
      target: userId,
      detail,
    });
  });
  if (all !== null) await endSessionsOutside(all, userId);
}

/** Ends the sessions of an account that belongs to no project and is not an operator's. */
async function endSessionsOutside({ sql: all }: Ctx, userId: string): Promise<void> {
  await all`
    delete from auth_sessions s using users u
    where u.id = s.user_id and u.id = ${userId} and not u.operator and not exists (select from members m where m.user_id = u.id)`;
}
