import type { Sql, TransactionSql } from 'postgres';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { conflict, notFound } from '../../platform';
import { notifyFollowers } from './followers';
import { ownProvider } from './put';

/**
 * Deletes a provider, with its key. A provider of the environment with the same name becomes
 * available to the project again.
 * @throws AssayError not_found, conflict (it belongs to the environment)
 */
export async function deleteProvider(ctx: ProjectCtx, name: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [deleted] = await tx.delete(schema.providers).where(ownProvider(ctx, name)).returning();
    if (deleted === undefined) {
      const inherited = ctx.env.defaultProviders.some(({ kind }) => kind === name);
      throw inherited
        ? conflict(
            'this provider belongs to the operator; replace it by a disabled one of the same name',
          )
        : notFound('provider');
    }
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'providers.delete',
      target: name,
      detail: { kind: deleted.kind, origin: deleted.origin },
    });
  });
  await notifyFollowers(ctx);
}

/**
 * Removes sealed keys and disables their providers after a restore without the secret that sealed
 * them. Returns how many.
 */
export async function dropProviderSecrets(sql: Sql | TransactionSql): Promise<number> {
  const done = await sql`
    update providers set sealed_key = null, enabled = false where sealed_key is not null`;
  return done.count;
}
