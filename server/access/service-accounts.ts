import { and, asc, count, eq, gt, isNull, or } from 'drizzle-orm';
import { schema } from '../../db';
import { conflict, newId, notFound } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { CreateServiceAccount } from './input';
import { lockMembers } from './members';
import type { ServiceRole } from './roles';

export interface ServiceAccount {
  readonly id: string;
  readonly name: string;
  readonly role: ServiceRole;
  /** The label of the actor that created it. */
  readonly createdBy: string;
  readonly since: Date;
  /** Keys that are neither revoked nor expired. */
  readonly keyCount: number;
}

/** The project's service accounts, by name. */
export async function listServiceAccounts(ctx: ProjectCtx): Promise<readonly ServiceAccount[]> {
  const { apiKeys, serviceAccounts } = schema;
  return ctx.db
    .select({
      id: serviceAccounts.id,
      name: serviceAccounts.name,
      role: serviceAccounts.role,
      createdBy: serviceAccounts.createdBy,
      since: serviceAccounts.createdAt,
      keyCount: count(apiKeys.id),
    })
    .from(serviceAccounts)
    .leftJoin(
      apiKeys,
      and(
        eq(apiKeys.projectId, serviceAccounts.projectId),
        eq(apiKeys.serviceAccountId, serviceAccounts.id),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, ctx.clock.now())),
      ),
    )
    .where(eq(serviceAccounts.projectId, ctx.projectId))
    .groupBy(serviceAccounts.projectId, serviceAccounts.id)
    .orderBy(asc(serviceAccounts.name));
}

/**
 * Creates a member that is not a person: it owns keys with the scopes of its role, and has neither
 * an e-mail address nor a password to sign in with.
 * @throws AssayError not_found, forbidden, conflict (the name is taken)
 */
export async function createServiceAccount(
  ctx: ProjectCtx,
  input: CreateServiceAccount,
): Promise<{ id: string }> {
  const now = ctx.clock.now();
  const id = newId('svc', now);
  await ctx.db.transaction(async (tx) => {
    await lockMembers(ctx, tx);
    const insertedAccounts = await tx
      .insert(schema.serviceAccounts)
      .values({
        projectId: ctx.projectId,
        id,
        name: input.name,
        role: input.role,
        createdBy: ctx.actor.label,
        createdAt: now,
      })
      .onConflictDoNothing()
      .returning({ id: schema.serviceAccounts.id });
    if (insertedAccounts.length === 0)
      throw conflict('name: another service account has this name; choose a different one');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.createServiceAccount',
      target: id,
      detail: { name: input.name, role: input.role },
    });
  });
  return { id };
}

/**
 * Removes a service account and revokes its keys, with an audit row for each.
 * @throws AssayError not_found, forbidden
 */
export async function removeServiceAccount(ctx: ProjectCtx, id: string): Promise<void> {
  const { apiKeys, serviceAccounts } = schema;
  await ctx.db.transaction(async (tx) => {
    await lockMembers(ctx, tx);
    const [removed] = await tx
      .delete(serviceAccounts)
      .where(and(eq(serviceAccounts.projectId, ctx.projectId), eq(serviceAccounts.id, id)))
      .returning({ name: serviceAccounts.name, role: serviceAccounts.role });
    if (removed === undefined) throw notFound('service account');
    const keys = await tx
      .update(apiKeys)
      .set({ revokedAt: ctx.clock.now() })
      .where(
        and(
          eq(apiKeys.projectId, ctx.projectId),
          eq(apiKeys.serviceAccountId, id),
          isNull(apiKeys.revokedAt),
        ),
      )
      .returning({ id: apiKeys.id, name: apiKeys.name });
    for (const key of keys)
      await recordAudit(ctx, tx, ctx.actor, {
        projectId: ctx.projectId,
        action: 'keys.revoke',
        target: key.id,
        detail: { name: key.name, serviceAccountId: id },
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'members.removeServiceAccount',
      target: id,
      detail: { ...removed, keyIds: keys.map((key) => key.id) },
    });
  });
}
