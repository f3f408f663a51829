import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { conflict, type Database, forbidden, notFound } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { Role } from './roles';

export interface MemberList {
  readonly members: readonly { readonly userId: string; readonly name: string; readonly email: string; readonly role: Role; readonly since: Date }[];
  readonly invitations: readonly { readonly id: string; readonly email: string; readonly role: Role; readonly expiresAt: Date }[];
}

export async function listMembers(ctx: ProjectCtx): Promise<MemberList> {
  const { claims, members, users } = schema;
  const rows = await ctx.db
    .select({ userId: users.id, name: users.name, email: users.email, role: members.role, since: members.createdAt })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.projectId, ctx.projectId))
    .orderBy(asc(members.createdAt));
  const invitations = await ctx.db
    .select({ id: claims.id, email: claims.email, role: claims.role, expiresAt: claims.expiresAt })
    .from(claims)
    .where(and(eq(claims.projectId, ctx.projectId), isNull(claims.usedAt), isNull(claims.revokedAt), gt(claims.expiresAt, ctx.clock.now())))
    .orderBy(asc(claims.id));
  return {
    members: rows,
    invitations: invitations.flatMap((row) => (row.email === null || row.role === null ? [] : [{ ...row, email: row.email, role: row.role }])),
  };
}

/** Locks the project's members, so that two removals cannot take the last two owners at once (S-14). */
async function lockMembers(tx: Database, projectId: string): Promise<{ userId: string; role: Role }[]> {
  return tx
    .select({ userId: schema.members.userId, role: schema.members.role })
    .from(schema.members)
    .where(eq(schema.members.projectId, projectId))
    .orderBy(sql`user_id`)
    .for('update');
}

function checkChange(rows: readonly { userId: string; role: Role }[], userId: string, by: Role, next: Role | null): Role {
  const member = rows.find((row) => row.userId === userId);
  if (member === undefined) throw notFound('member');
  if ((member.role === 'owner' || next === 'owner') && by !== 'owner') throw forbidden('only an owner changes owners');
  if (member.role === 'owner' && next !== 'owner' && rows.filter((row) => row.role === 'owner').length === 1) {
    throw conflict('a project keeps at least one owner');
  }
  return member.role;
}

export async function changeRole(ctx: ProjectCtx, by: Role, input: { readonly userId: string; readonly role: Role }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const before = checkChange(await lockMembers(tx, ctx.projectId), input.userId, by, input.role);
    await tx
      .update(schema.members)
      .set({ role: input.role })
      .where(and(eq(schema.members.projectId, ctx.projectId), eq(schema.members.userId, input.userId)));
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId, action: 'members.changeRole', target: input.userId, detail: { before, after: input.role },
    });
  });
}

export async function removeMember(ctx: ProjectCtx, by: Role, userId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const before = checkChange(await lockMembers(tx, ctx.projectId), userId, by, null);
    await tx.delete(schema.members).where(and(eq(schema.members.projectId, ctx.projectId), eq(schema.members.userId, userId)));
    await recordAudit(ctx, tx, ctx.actor, { projectId: ctx.projectId, action: 'members.remove', target: userId, detail: { before } });
  });
}
