import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { conflict, newId } from '../platform';
import { readDestinationAddress, readSends, refuseFlood, refuseSigningSecret } from './address';
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
import type { CreateDestination } from './input';

const destinationsMax = 20;

/**
 * Stores a destination. Generates a webhook's signing secret and returns it only this once. With an
 * `id` derived from the request, a repeated call finds its own row.
 * @throws AssayError refused (address, headers, or events), conflict (too many), unavailable (no
 * ASSAY_SECRET)
 */
export async function createDestination(
  ctx: ProjectCtx,
  input: CreateDestination,
  id = newId('dst', ctx.clock.now()),
): Promise<{ destination: Destination; secret: string | null }> {
  const {
    shown,
    url,
    secret: address,
  } = readDestinationAddress(ctx, input.kind, input.url, input.headers);
  const sends = readSends(input.kind, input.sends);
  refuseFlood(input.kind, sends, input.outcomes);
  refuseSigningSecret(input.kind, input.signing_secret);
  const secret = input.kind === 'webhook' ? newSigningSecret() : address;
  const { destinations } = schema;
  const row = await ctx.db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from projects where id = ${ctx.projectId} for update`);
    const existing = await tx
      .select()
      .from(destinations)
      .where(eq(destinations.projectId, ctx.projectId));
    const known = existing.find((each) => each.id === id);
    if (known !== undefined) return known;
    if (existing.length >= destinationsMax)
      throw conflict(`a project has at most ${destinationsMax} destinations; delete one first`);
    const [inserted] = await tx
      .insert(destinations)
      .values({
        projectId: ctx.projectId,
        id,
        kind: input.kind,
        name: input.name,
        url: shown,
        sends,
        secretSealed:
          secret === null || url === null ? null : sealSigningSecret(ctx, id, url, secret),
        actionsSecretSealed:
          input.signing_secret === undefined || url === null
            ? null
            : sealActionsSecret(ctx, id, url, input.signing_secret),
        headersSealed: sealHeaders(ctx, id, url, input.headers),
        outcomes: [...new Set(input.outcomes)],
        enabled: input.enabled,
        createdBy: ctx.actor.label,
      })
      .returning();
    if (inserted === undefined) throw new Error('a destination was not stored');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'destinations.create',
      target: id,
      detail: {
        kind: input.kind,
        name: input.name,
        origin: url?.origin ?? shown,
        sends,
        ...buttonsOf(inserted),
      },
    });
    return inserted;
  });
  return { destination: asDestination(ctx, row), secret: secretToShow(ctx, row) };
}

/**
 * The signing secret generated for a destination, for a repeat of the creating request with the
 * same `Idempotency-Key`; null if the destination has since changed or was deleted.
 */
export async function findFirstSecret(ctx: ProjectCtx, id: string): Promise<string | null> {
  const { destinations } = schema;
  const [row] = await ctx.db
    .select()
    .from(destinations)
    .where(and(ownRow(ctx, id), eq(destinations.updatedAt, destinations.createdAt)));
  return row === undefined ? null : secretToShow(ctx, row);
}

/** The signing secret of a webhook; null for other kinds, for which Assay generates no secret. */
const secretToShow = (ctx: ProjectCtx, row: DestinationRow): string | null =>
  row.kind === 'webhook' ? openSigningSecret(ctx, ctx.projectId, row) : null;

/** For the audit log: whether its messages have buttons. */
export const buttonsOf = ({ kind, actionsSecretSealed }: DestinationRow) =>
  kind === 'slack' ? { buttons: actionsSecretSealed !== null } : {};

/** The condition for a row of the project. */
export function ownRow(ctx: ProjectCtx, id: string) {
  return and(eq(schema.destinations.projectId, ctx.projectId), eq(schema.destinations.id, id));
}
