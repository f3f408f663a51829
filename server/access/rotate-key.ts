import { and, eq, isNull } from 'drizzle-orm';
import { schema } from '../../db';
import { conflict, type Database, notFound } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { RotateKey } from './input';
import { newKeyText, requireKeyMaker } from './keys';
import { KeyScope } from './roles';
import { requireServiceScopes } from './service-scopes';

/**
 * Replaces a key: the successor has the same name, scopes and lifetime, and its text is returned
 * once and stored nowhere. The old key works for `graceHours` more hours, but not beyond its own
 * expiry.
 * @returns `oldWorksUntil`: when the old key stops working
 * @throws AssayError not_found, forbidden (removed or demoted in the meantime), conflict (already
 *   rotated, expired)
 */
export async function rotateKey(
  ctx: ProjectCtx,
  input: RotateKey,
): Promise<{
  id: string;
  key: string;
  scopes: KeyScope[];
  expiresAt: Date | null;
  oldWorksUntil: Date;
}> {
  const { apiKeys } = schema;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    const old = await lockOld(ctx, tx, input.id);
    const scopes = KeyScope.options.filter((scope) => old.scopes.includes(scope));
    await requireKeyMaker(ctx, tx, scopes);
    const { serviceAccountId } = old;
    if (serviceAccountId !== null) await requireServiceScopes(ctx, tx, serviceAccountId, scopes);
    const { key, ...derived } = newKeyText(scopes);
    // A rotated key cannot be rotated again, so its expiry is still the one of its creation.
    const expiresAt =
      old.expiresAt === null
        ? null
        : new Date(now.getTime() + old.expiresAt.getTime() - old.createdAt.getTime());
    const graceEnds = new Date(now.getTime() + input.graceHours * 3_600_000);
    const oldWorksUntil =
      old.expiresAt !== null && old.expiresAt < graceEnds ? old.expiresAt : graceEnds;
    await tx.insert(apiKeys).values({
      projectId: ctx.projectId,
      ...derived,
      name: old.name,
      scopes,
      createdBy: ctx.actor.label,
      holderId:
        ctx.actor.kind === 'user' && serviceAccountId === null ? ctx.actor.id : old.holderId,
      serviceAccountId,
      createdAt: now,
      expiresAt,
    });
    await tx
      .update(apiKeys)
      .set({ successorId: derived.id, expiresAt: oldWorksUntil })
      .where(and(eq(apiKeys.projectId, ctx.projectId), eq(apiKeys.id, old.id)));
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'keys.create',
      target: derived.id,
      detail: { name: old.name, scopes, expiresAt, replaces: old.id },
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'keys.rotate',
      target: old.id,
      detail: { name: old.name, successor: derived.id, worksUntil: oldWorksUntil },
    });
    return { id: derived.id, key, scopes, expiresAt, oldWorksUntil };
  });
}

/** @throws AssayError not_found, conflict */
async function lockOld(
  ctx: ProjectCtx,
  tx: Database,
  id: string,
): Promise<typeof schema.apiKeys.$inferSelect> {
  const { apiKeys } = schema;
  const [old] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.projectId, ctx.projectId), eq(apiKeys.id, id), isNull(apiKeys.revokedAt)))
    .for('update');
  if (old === undefined) throw notFound('key');
  if (old.successorId !== null)
    throw conflict('the key was already rotated; rotate its successor instead');
  if (old.expiresAt !== null && old.expiresAt <= ctx.clock.now())
    throw conflict('the key has expired; create a new key instead');
  return old;
}
