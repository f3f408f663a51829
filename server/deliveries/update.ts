import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { notFound, refused } from '../platform';
import { ownRow } from './create';
import { asDestination, checkDestination, type Destination, newSigningSecret, sealHeaders, sealSigningSecret } from './destination';
import type { UpdateDestination } from './input';

/**
 * Changes a destination. Another origin has neither the signing secret nor the headers of the one before (S-45): a new secret is made
 * and given back, and headers must be given again. Switched off, what waits is held; switched on, it is due.
 * @throws AssayError not_found, refused
 */
export async function updateDestination(
  ctx: ProjectCtx,
  id: string,
  input: UpdateDestination,
): Promise<{ destination: Destination; secret: string | null }> {
  const url = checkDestination(ctx, input.url, input.headers ?? []);
  const { deliveries, destinations } = schema;
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(destinations).where(ownRow(ctx, id)).for('update');
    if (before === undefined) throw notFound('destination');
    const moved = new URL(before.url).origin !== url.origin;
    if (moved && before.headersSealed !== null && input.headers === undefined) {
      throw refused('headers: the address has another origin: give its headers, or none', [
        { path: 'headers', message: 'give them again' },
      ]);
    }
    const secret = before.kind === 'webhook' && (moved || input.rotate_secret) ? newSigningSecret() : null;
    const [after] = await tx
      .update(destinations)
      .set({
        name: input.name,
        url: input.url,
        enabled: input.enabled ?? before.enabled,
        updatedAt: sql`now()`,
        ...(input.outcomes === undefined ? {} : { outcomes: [...new Set(input.outcomes)] }),
        ...(secret === null ? {} : { secretSealed: sealSigningSecret(ctx, id, url, secret) }),
        ...(input.headers === undefined ? {} : { headersSealed: sealHeaders(ctx, id, url, input.headers) }),
      })
      .where(ownRow(ctx, id))
      .returning();
    if (after === undefined) throw notFound('destination');
    if (before.enabled !== after.enabled) {
      await tx
        .update(deliveries)
        .set({ dueAt: after.enabled ? sql`now()` : sql`'infinity'` })
        .where(and(eq(deliveries.projectId, ctx.projectId), eq(deliveries.destinationId, id), eq(deliveries.state, 'waiting')));
    }
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'destinations.update',
      target: id,
      detail: { name: input.name, origin: url.origin, enabled: after.enabled, outcomes: after.outcomes, newSecret: secret !== null },
    });
    await tx.execute(sql`select pg_notify('assay_deliveries', '')`);
    return { destination: asDestination(after), secret };
  });
}
