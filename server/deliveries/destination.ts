import type { schema } from '../../db';
import { openSecret, type ProjectCtx, sealSecret, type SecretPlace } from '../access';
import type { Outcome } from '../domain';
import { checkOutboundHeaders, checkOutboundUrl, type Ctx, newSecret } from '../platform';
import type { CreateDestination, DestinationKind } from './input';

/** A destination as people and clients see it: without its secret. */
export interface Destination {
  readonly id: string;
  readonly kind: DestinationKind;
  readonly name: string;
  readonly url: string;
  readonly outcomes: readonly Outcome[];
  readonly enabled: boolean;
  /** Whether headers are sent along; what they are is not shown again. */
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
    outcomes: row.outcomes as Outcome[],
    enabled: row.enabled,
    hasHeaders: row.headersSealed !== null,
    createdBy: row.createdBy,
    createdAt: row.createdAt,
  };
}

type Header = CreateDestination['headers'][number];

/** @throws AssayError refused: an address or a header that may not be */
export function checkDestination(ctx: Ctx, url: string, headers: readonly Header[]): URL {
  const checked = checkOutboundUrl({ allow: ctx.env.outboundAllow }, url);
  checkOutboundHeaders(headerMap(headers));
  return checked;
}

/** In lower case: what is sent along may not stand beside what is ours under the same name. */
function headerMap(headers: readonly Header[]): ReadonlyMap<string, string> {
  return new Map(headers.map(({ name, value }) => [name.toLowerCase(), value]));
}

/** A webhook's signing secret in the form that receivers' libraries take. */
export function newSigningSecret(): string {
  return `whsec_${Buffer.from(newSecret(24), 'base64url').toString('base64')}`;
}

export function sealHeaders(ctx: ProjectCtx, id: string, url: URL, headers: readonly Header[]): string | null {
  if (headers.length === 0) return null;
  return sealSecret(ctx, placeOf(ctx.projectId, id, 'headers_sealed', url), JSON.stringify([...headerMap(headers)]));
}

export function sealSigningSecret(ctx: ProjectCtx, id: string, url: URL, secret: string): string {
  return sealSecret(ctx, placeOf(ctx.projectId, id, 'secret_sealed', url), secret);
}

/** @throws Error when it was sealed for another row, origin or master key */
export function openSigningSecret(
  ctx: Pick<Ctx, 'env'>,
  projectId: string,
  row: Pick<DestinationRow, 'id' | 'url' | 'secretSealed'>,
): string | null {
  if (row.secretSealed === null) return null;
  return openSecret(ctx, placeOf(projectId, row.id, 'secret_sealed', new URL(row.url)), row.secretSealed);
}

/** @throws Error as `openSigningSecret` */
export function openHeaders(
  ctx: Pick<Ctx, 'env'>,
  projectId: string,
  row: Pick<DestinationRow, 'id' | 'url' | 'headersSealed'>,
): ReadonlyMap<string, string> {
  if (row.headersSealed === null) return new Map();
  const text = openSecret(ctx, placeOf(projectId, row.id, 'headers_sealed', new URL(row.url)), row.headersSealed);
  return new Map(JSON.parse(text) as [string, string][]);
}

function placeOf(projectId: string, rowId: string, column: string, url: URL): SecretPlace {
  return { projectId, table: 'destinations', column, rowId, origin: url.origin };
}
