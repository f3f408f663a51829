import type { schema } from '../../db';
import { openSecret, type ProjectCtx, sealSecret, type SecretPlace } from '../access';
import type { Outcome } from '../domain';
import { type Ctx, newSecret } from '../platform';
import { headerMap } from './address';
import type { CreateDestination, DestinationKind, DestinationSends } from './input';

/** A destination as shown to people and clients, without its secret. */
export interface Destination {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly name: string;
  /** For `slack`, only the origin. */
  readonly url: string;
  readonly sends: readonly DestinationSends[];
  readonly outcomes: readonly Outcome[];
  readonly enabled: boolean;
  /** Whether additional headers are sent; their values are never shown again. */
  readonly hasHeaders: boolean;
  /**
   * The address to which Slack sends pressed buttons; null without a signing secret: messages then
   * have no buttons.
   */
  readonly actionsUrl: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export type DestinationRow = typeof schema.destinations.$inferSelect;

export function asDestination({ env }: Pick<Ctx, 'env'>, row: DestinationRow): Destination {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    url: row.url,
    sends: row.sends as DestinationSends[],
    outcomes: row.outcomes as Outcome[],
    enabled: row.enabled,
    hasHeaders: row.headersSealed !== null,
    actionsUrl:
      row.actionsSecretSealed === null ? null : `${env.edgeUrl}/v1/destinations/${row.id}/actions`,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}

/** A webhook's signing secret in the format that receivers' libraries accept. */
export function newSigningSecret(): string {
  return `whsec_${Buffer.from(newSecret(24), 'base64url').toString('base64')}`;
}

export function sealHeaders(
  ctx: ProjectCtx,
  id: string,
  url: URL | null,
  headers: CreateDestination['headers'],
): string | null {
  if (headers.length === 0 || url === null) return null;
  return sealSecret(
    ctx,
    placeOf(ctx.projectId, id, 'headers_sealed', url),
    JSON.stringify([...headerMap(headers)]),
  );
}

/** Seals a webhook's signing secret, or the whole address of a Slack webhook. */
export function sealSigningSecret(ctx: ProjectCtx, id: string, url: URL, secret: string): string {
  return sealSecret(ctx, placeOf(ctx.projectId, id, 'secret_sealed', url), secret);
}

/** Seals the signing secret of a Slack app. */
export function sealActionsSecret(ctx: ProjectCtx, id: string, url: URL, secret: string): string {
  return sealSecret(ctx, placeOf(ctx.projectId, id, 'actions_secret_sealed', url), secret);
}

/** The signing secret of a Slack app; null if there is none. @throws like `openSigningSecret` */
export function openActionsSecret(
  ctx: Pick<Ctx, 'env'>,
  projectId: string,
  row: Pick<DestinationRow, 'id' | 'url' | 'actionsSecretSealed'>,
): string | null {
  if (row.actionsSecretSealed === null) return null;
  const place = placeOf(projectId, row.id, 'actions_secret_sealed', new URL(row.url));
  return openSecret(ctx, place, row.actionsSecretSealed);
}

/**
 * The opened secret; null if there is none.
 * @throws Error if it was sealed for another row, origin or master key
 */
export function openSigningSecret(
  ctx: Pick<Ctx, 'env'>,
  projectId: string,
  row: Pick<DestinationRow, 'id' | 'url' | 'secretSealed'>,
): string | null {
  if (row.secretSealed === null) return null;
  return openSecret(
    ctx,
    placeOf(projectId, row.id, 'secret_sealed', new URL(row.url)),
    row.secretSealed,
  );
}

/** @throws Error like `openSigningSecret` */
export function openHeaders(
  ctx: Pick<Ctx, 'env'>,
  projectId: string,
  row: Pick<DestinationRow, 'id' | 'url' | 'headersSealed'>,
): ReadonlyMap<string, string> {
  if (row.headersSealed === null) return new Map();
  const text = openSecret(
    ctx,
    placeOf(projectId, row.id, 'headers_sealed', new URL(row.url)),
    row.headersSealed,
  );
  return new Map(JSON.parse(text) as [string, string][]);
}

function placeOf(projectId: string, rowId: string, column: string, url: URL): SecretPlace {
  return { projectId, table: 'destinations', column, rowId, origin: url.origin };
}
