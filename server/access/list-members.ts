import { and, asc, eq, gt, isNull } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from './actor';
import { countKeysByMember } from './member-keys';
import type { Role } from './roles';
import { listServiceAccounts, type ServiceAccount } from './service-accounts';

export interface MemberList {
  readonly members: readonly {
    readonly userId: string;
    readonly name: string;
    readonly email: string;
    readonly role: Role;
    readonly since: Date;
    /** The number of unrevoked keys that the member owns. */
    readonly keyCount: number;
  }[];
  readonly invitations: readonly {
    readonly id: string;
    readonly email: string;
    readonly role: Role;
    readonly expiresAt: Date;
  }[];
  readonly serviceAccounts: readonly ServiceAccount[];
}

export async function listMembers(ctx: ProjectCtx): Promise<MemberList> {
  const { claims, members, users } = schema;
  const rows = await ctx.db
    .select({
      userId: users.id,
      name: users.name,
      email: users.email,
      role: members.role,
      since: members.createdAt,
    })
    .from(members)
    .innerJoin(users, eq(users.id, members.userId))
    .where(eq(members.projectId, ctx.projectId))
    .orderBy(asc(members.createdAt));
  const keyCounts = await countKeysByMember(ctx);
  const invitations = await ctx.db
    .select({ id: claims.id, email: claims.email, role: claims.role, expiresAt: claims.expiresAt })
    .from(claims)
    .where(
      and(
        eq(claims.projectId, ctx.projectId),
        isNull(claims.usedAt),
        isNull(claims.revokedAt),
        gt(claims.expiresAt, ctx.clock.now()),
      ),
    )
    .orderBy(asc(claims.id));
  return {
    members: rows.map((row) => ({ ...row, keyCount: keyCounts.get(row.userId) ?? 0 })),
    invitations: invitations.flatMap((row) =>
      row.email === null || row.role === null ? [] : [{ ...row, email: row.email, role: row.role }],
    ),
    serviceAccounts: await listServiceAccounts(ctx),
  };
}
