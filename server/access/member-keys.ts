import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type Database, refused } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import { isKeyOwner } from './keys';
import { permissionsOf, type Role } from './roles';

/** How to handle a member's keys once the member may no longer own any (S-120). */
export interface KeysOfMember {
  readonly keys: 'revoke' | 'hand_over';
  /** The member who gets them; omitted: the current user. */
  readonly handTo?: string | undefined;
}

interface Row {
  readonly userId: string;
  readonly role: Role;
}

/** The number of keys that each member owns and that are neither revoked nor expired. */
export async function countKeysByMember(ctx: ProjectCtx): Promise<ReadonlyMap<string, number>> {
  const { apiKeys, users } = schema;
  const rows = await ctx.db
    .select({ userId: users.id, count: sql<number>`count(*)::int` })
    .from(apiKeys)
    .innerJoin(users, isKeyOwner)
    .where(
      and(
        eq(apiKeys.projectId, ctx.projectId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, ctx.clock.now())),
      ),
    )
    .groupBy(users.id);
  return new Map(rows.map((row) => [row.userId, row.count]));
}

/**
 * Revokes the keys that a member owns, or hands them over, with an audit row for each; processes
 * drop revoked keys from their caches as after `revokeKey`. The caller holds the lock of
 * `lockMembers`.
 * @param rows the project's members as locked
 * @returns the ids of the keys
 * @throws AssayError refused if the receiver is not a member who may manage keys
 */
export async function releaseKeysOf(
  ctx: ProjectCtx,
  tx: Database,
  {
    userId,
    rows,
    choice,
  }: { readonly userId: string; readonly rows: readonly Row[]; readonly choice: KeysOfMember },
): Promise<readonly string[]> {
  const { apiKeys, users } = schema;
  const receiver =
    choice.keys === 'hand_over' ? receiverOf(ctx, userId, rows, choice.handTo) : null;
  const ownedKeys = await tx
    .select({ id: apiKeys.id, name: apiKeys.name })
    .from(apiKeys)
    .innerJoin(users, isKeyOwner)
    .where(
      and(eq(apiKeys.projectId, ctx.projectId), eq(users.id, userId), isNull(apiKeys.revokedAt)),
    );
  const ids = ownedKeys.map(({ id }) => id);
  if (ids.length === 0) return ids;
  await tx
    .update(apiKeys)
    .set(receiver === null ? { revokedAt: ctx.clock.now() } : { holderId: receiver })
    .where(
      and(
        eq(apiKeys.projectId, ctx.projectId),
        inArray(apiKeys.id, ids),
        isNull(apiKeys.revokedAt),
      ),
    );
  for (const { id, name } of ownedKeys) {
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: receiver === null ? 'keys.revoke' : 'keys.handOver',
      target: id,
      detail: { name, from: userId, ...(receiver !== null && { to: receiver }) },
    });
  }
  return ids;
}

function receiverOf(
  ctx: ProjectCtx,
  userId: string,
  rows: readonly Row[],
  handTo: string | undefined,
): string {
  const refuseReceiver = (message: string) =>
    refused(`handTo: ${message}`, [{ path: 'handTo', message }]);
  const id = handTo ?? (ctx.actor.kind === 'user' ? ctx.actor.id : null);
  if (id === null) throw refuseReceiver('is required: the member who takes over the keys');
  const receiver = rows.find((row) => row.userId === id);
  if (receiver === undefined || id === userId)
    throw refuseReceiver('must be another member of the project');
  if (!permissionsOf[receiver.role].includes('keys.write'))
    throw refuseReceiver('must be an owner or an admin; other roles cannot manage keys');
  return id;
}
