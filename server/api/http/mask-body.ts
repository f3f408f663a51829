import { isUtf8 } from 'node:buffer';
import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import {
  createMasker,
  maskJson,
  maskRows,
  maskOtlpJson,
  maskOtlpProto,
  type Masker,
  startPaths,
} from '../../masking';
import { type Body, collectAny, openBody } from './body';
import type { HttpDeps } from './deps';
import type { Route } from './route';
import { webIncoming } from './web-incoming';

/**
 * Whether the body of a route is masked before its handler reads it: every route that takes data of
 * a project. Routes with the scope `write` change the configuration, except those that declare
 * masking.
 */
export const isMasked = ({ scope, method, masking }: Route): boolean =>
  method !== 'get' &&
  (masking ?? (scope === 'ingest' || scope === 'verify' ? 'body' : 'none')) === 'body';

/** The member whose items the paths begin at, by route. */
const listOf: Readonly<Record<string, string>> = {
  '/v1/turns': 'turns',
  '/v1/outcomes': 'outcomes',
  '/api/public/ingestion': 'batch',
  '/v1/datasets/{slug}/items': 'items',
};

/** The body with tokens in place of values; the same object if nothing is to be masked. */
export function maskBody(body: Body, masker: Masker | null, path: string): Body {
  if (masker === null) return body;
  const bytes = maskBytes(body, masker, path);
  return bytes === body.bytes ? body : { ...body, bytes, validUtf8: isUtf8(bytes), packed: null };
}

function maskBytes({ bytes, type }: Body, masker: Masker, path: string): Buffer {
  const isOtlp = /\/v1\/(?:traces|logs)$/.test(path);
  if (isOtlp && type === 'application/x-protobuf')
    return maskOtlpProto(bytes, masker, path.endsWith('logs') ? 'logs' : 'traces');
  if (isOtlp) return maskOtlpJson(bytes, masker);
  if (type === 'text/csv') return maskRows(bytes, masker, ',');
  if (type === 'application/x-ndjson') return maskRows(bytes, masker, null);
  return maskJson(bytes, {
    masker,
    states: startPaths(masker.rules.paths, listOf[path] ?? null),
    isKept,
  });
}

/** Ids of traces and spans in hex, which may read as numbers of cards. */
const isKept = (member: string, text: string): boolean =>
  /^(?:trace|span|parent_span)_id$/.test(member) && /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i.test(text);

/**
 * Replaces the body of the request with the masked body. A project without masking keeps its
 * request as is.
 * @throws AssayError too_large, invalid_request (not gzip), unavailable
 */
export async function maskRequest(
  c: Context,
  project: ProjectCtx,
  { masks }: Pick<HttpDeps, 'masks'>,
  path: string,
): Promise<void> {
  const rules = await masks.read(project.projectId);
  if (rules === null) return;
  const { raw } = c.req;
  const incoming = webIncoming(raw);
  const sent = await collectAny(incoming, () => undefined);
  const type = (incoming.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  const isPacked = incoming.header('content-encoding')?.trim().toLowerCase() === 'gzip';
  const opened = await openBody({ sent, isPacked: isPacked && sent.length > 0, type });
  const masker = createMasker(rules);
  const { bytes } = maskBody(opened, masker, path);
  masks.note(project.projectId, masker.counts);
  const headers = new Headers(raw.headers);
  if (isPacked) headers.delete('content-encoding');
  headers.set('content-length', String(bytes.length));
  const { method, signal, url } = raw;
  c.req.raw = new Request(url, { method, headers, body: new Uint8Array(bytes), signal });
}
