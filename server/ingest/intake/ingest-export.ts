import type { ProjectCtx } from '../../access';
import { sha256 } from '../../platform';
import { recordDeadLetters, type Rejected } from './dead-letters';
import { readExport } from '../otlp/read-export';
import type { Segment } from '../otlp/segment';
import type { SegmentWriter } from './segment-writer';
import type { NewSegment } from './store-segments';

export interface IngestExportInput {
  /** The request's decompressed body. */
  readonly body: Buffer;
  /** The body as received, if compressed with gzip; it is stored so. */
  readonly packed: Buffer | null;
  readonly format: 'json' | 'proto';
  readonly validUtf8: boolean;
}

/** The response: the number of spans that were not stored, and the reason for the first. */
export interface IngestedExport {
  readonly spans: number;
  readonly rejected: number;
  readonly message: string | null;
}

/**
 * Takes an OTLP export: when this resolves, its spans are stored with the work of assembling them
 * into turns.
 * @throws AssayError invalid_request, too_large (the request as a whole), unavailable, rate_limited
 * (send again)
 */
export async function ingestExport(
  ctx: ProjectCtx,
  writer: SegmentWriter,
  input: IngestExportInput,
): Promise<IngestedExport> {
  const read = readExport(input.body, input.format, input.validUtf8);
  const results = await writer.write(
    read.segments.map((segment) => asNew(ctx.projectId, input, segment)),
  );
  const rejected: Rejected[] = read.rejected.map((span) => ({ ...span, code: 'invalid_span' }));
  let refused = 0;
  results.forEach((result, at) => {
    const segment = read.segments[at];
    if (result.state !== 'refused' || segment === undefined) return;
    refused += segment.spans;
    rejected.push({
      index: read.spans + at,
      code: 'not_storable',
      message: result.message,
      body: Buffer.from(segment.body),
    });
  });
  await recordDeadLetters(ctx, { route: '/v1/traces', request: input.body, rejected });
  return {
    spans: read.spans,
    rejected: read.rejected.length + refused,
    message: rejected[0]?.message ?? null,
  };
}

function asNew(projectId: string, input: IngestExportInput, segment: Segment): NewSegment {
  const common = {
    projectId,
    traceId: segment.traceId,
    spans: segment.spans,
    hasRoot: segment.hasRoot,
  };
  const { format, body } = segment;
  if (!segment.isWhole)
    return { ...common, hash: hashOf(format, body), format, body, bytes: Buffer.byteLength(body) };
  const hash = hashOf(format, input.body);
  if (input.packed !== null)
    return {
      ...common,
      hash,
      format: `${format}+gzip`,
      body: input.packed,
      bytes: input.packed.length,
    };
  return { ...common, hash, format, body, bytes: input.body.length };
}

/** Hashes the decompressed bytes: the same spans in another compression are the same segment. */
export function hashOf(format: string, body: string | Buffer): string {
  return `${format === 'json' ? 'j' : 'p'}${sha256(body)}`;
}
