import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { type Database, notFound, refused } from '../platform';
import { buttonsOf, ownRow } from './create';
import {
  type DestinationAddress,
  readDestinationAddress,
  readSends,
  refuseFlood,
  refuseSigningSecret,
} from './address';
import {
  asDestination,
  type Destination,
  type DestinationRow,
  newSigningSecret,
  openSigningSecret,
  sealActionsSecret,
  sealHeaders,
  sealSigningSecret,
} from './destination';
import type { UpdateDestination } from './input';
import { dropLinks } from './slack/links';
import { joinSigningSecrets, readSigningSecrets } from './webhook-request';

/**
 * Changes a destination. If its origin changes, the new origin gets neither the signing secret nor
 * the headers of the previous one (S-45): a new secret is generated and returned, and headers must
 * be provided again. Disabling a destination pauses its waiting deliveries; enabling it resumes
 * them.
 * @throws AssayError not_found, refused
 */
export async function updateDestination(
  ctx: ProjectCtx,
  id: string,
  input: UpdateDestination,
): Promise<{ destination: Destination; secret: string | null }> {
  const { destinations } = schema;
  return ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(destinations).where(ownRow(ctx, id)).for('update');
    if (before === undefined) throw notFound('destination');
    const address = addressAfter(ctx, before, input);
    const sends = input.sends === undefined ? null : readSends(before.kind, input.sends);
    refuseFlood(before.kind, sends ?? before.sends, input.outcomes ?? before.outcomes);
    refuseSigningSecret(before.kind, input.signing_secret);
    const moved = originOf(before) !== address.url?.origin;
    if (moved && before.headersSealed !== null && input.headers === undefined) {
      const message = 'must be sent again, because the address has another origin';
      throw refused(`headers: ${message}`, [{ path: 'headers', message }]);
    }
    const secret =
      before.kind === 'webhook' && (moved || input.rotate_secret) ? newSigningSecret() : null;
    const buttons = actionsSecretAfter(ctx, { id, moved, address }, input);
    if (buttons !== null) await dropLinks(ctx, tx, id);
    const sealed = secret === null ? address.secret : secretsAfter(ctx, before, { secret, moved });
    const [after] = await tx
      .update(destinations)
      .set({
        name: input.name,
        url: address.shown,
        enabled: input.enabled ?? before.enabled,
        updatedAt: sql`now()`,
        ...(sends === null ? {} : { sends }),
        ...(input.outcomes === undefined ? {} : { outcomes: [...new Set(input.outcomes)] }),
        ...(sealed === null || address.url === null
          ? {}
          : { secretSealed: sealSigningSecret(ctx, id, address.url, sealed) }),
        ...(input.headers === undefined
          ? {}
          : { headersSealed: sealHeaders(ctx, id, address.url, input.headers) }),
        ...buttons,
      })
      .where(ownRow(ctx, id))
      .returning();
    if (after === undefined) throw notFound('destination');
    if (before.enabled !== after.enabled) await pauseDeliveries(ctx, tx, after);
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'destinations.update',
      target: id,
      detail: {
        name: input.name,
        origin: address.url?.origin ?? address.shown,
        enabled: after.enabled,
        sends: after.sends,
        outcomes: after.outcomes,
        newSecret: sealed !== null,
        ...buttonsOf(after),
      },
    });
    await tx.execute(sql`select pg_notify('assay_deliveries', '')`);
    return { destination: asDestination(ctx, after), secret };
  });
}

/** Pauses the waiting deliveries of a disabled destination, and resumes those of an enabled one. */
async function pauseDeliveries(
  { projectId }: ProjectCtx,
  tx: Database,
  { id, enabled }: DestinationRow,
): Promise<void> {
  const { deliveries } = schema;
  await tx
    .update(deliveries)
    .set({ nextAttemptAt: enabled ? sql`now()` : sql`'infinity'` })
    .where(
      and(
        eq(deliveries.projectId, projectId),
        eq(deliveries.destinationId, id),
        eq(deliveries.state, 'waiting'),
      ),
    );
}

/**
 * The text to seal: a rotated secret signs next to its successor for a day (S-103), but never for
 * another origin.
 */
function secretsAfter(
  ctx: ProjectCtx,
  before: DestinationRow,
  { secret, moved }: { readonly secret: string; readonly moved: boolean },
): string {
  const opened = moved ? null : openSigningSecret(ctx, ctx.projectId, before);
  if (opened === null) return secret;
  const now = ctx.clock.now();
  const [previous = ''] = readSigningSecrets(opened, now);
  return joinSigningSecrets(secret, previous, now);
}

/** The changed signing secret of a Slack app; null if it does not change. */
function actionsSecretAfter(
  ctx: ProjectCtx,
  {
    id,
    moved,
    address: { url },
  }: { readonly id: string; readonly moved: boolean; readonly address: DestinationAddress },
  { signing_secret: secret }: UpdateDestination,
): { readonly actionsSecretSealed: string | null } | null {
  if (secret === undefined && !moved) return null;
  const isNone = secret === undefined || secret === null || url === null;
  return { actionsSecretSealed: isNone ? null : sealActionsSecret(ctx, id, url, secret) };
}

/**
 * A value sent back as shown counts as unchanged: the rest of a Slack webhook is hidden from
 * clients, and e-mail may no longer be set up.
 */
function addressAfter(
  ctx: ProjectCtx,
  before: DestinationRow,
  input: UpdateDestination,
): DestinationAddress {
  const isAsShown = input.url === before.url && (input.headers ?? []).length === 0;
  if (isAsShown && before.kind === 'slack')
    return { shown: before.url, url: new URL(before.url), secret: null };
  if (isAsShown && before.kind === 'email') return { shown: before.url, url: null, secret: null };
  return readDestinationAddress(ctx, before.kind, input.url, input.headers ?? []);
}

const originOf = ({ kind, url }: DestinationRow): string | undefined =>
  kind === 'email' ? undefined : new URL(url).origin;
