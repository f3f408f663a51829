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
  readonly createdBy: string;
  readonly createdAt: Date;
}

export type DestinationRow = typeof schema.destinations.$inferSelect;

export function asDestination(row: DestinationRow): Destination {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    url: row.url,
    sends: row.sends as DestinationSends[],
    outcomes: row.outcomes as Outcome[],
    enabled: row.enabled,
    hasHeaders: row.headersSealed !== null,
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
