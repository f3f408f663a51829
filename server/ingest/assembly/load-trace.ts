import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Ctx, tooLarge } from '../../platform';
import { intakeLimits } from '../../domain';
import { mergeSpans, type MergedSpan } from './merge-spans';
import { decodeSegment } from '../otlp/decode-segment';
import type { Span } from '../span';
import { hasOddTimes, oddTimes } from '../span-time';

const gunzipAsync = promisify(gunzip);

/**
 * A trace over this limit is not read at all: decoding multiplies its size, and a few KB of
 * compressed bytes may expand to that much (R-93).
 */
const traceBytesMax = 128 * 1024 * 1024;

interface SegmentRow {
  project_id: string;
  trace_id: string;
  format: string;
  /** Null if the stored trace exceeds the limit. */
  body: Buffer | null;
  received_ms: number;
}

export interface TraceKey {
  readonly projectId: string;
  readonly traceId: string;
}

export interface MergedTrace {
  readonly spans: readonly MergedSpan[];
  readonly conflict: boolean;
}

/**
 * All spans of each trace, merged. A trace without segments is omitted. With `spanId`, reads only
 * segments that may contain that span: those with its bytes or its digits, and the compressed ones.
 * Throws too_large for a trace over 128 MiB.
 */
export async function loadSpans(
  ctx: Pick<Ctx, 'sql'>,
  keys: readonly TraceKey[],
  spanId: string | null = null,
): Promise<Map<string, () => Promise<MergedTrace>>> {
  const { sql } = ctx;
  const wanted = JSON.stringify(keys.map((key) => ({ p: key.projectId, t: key.traceId })));
  const rows = await sql<SegmentRow[]>`
    select s.project_id, s.trace_id, s.format, (extract(epoch from s.received_at) * 1000)::float8 as received_ms,
      case when sum(octet_length(s.body)) over (partition by s.project_id, s.trace_id) <= ${traceBytesMax} then s.body end as body
    from json_to_recordset(${wanted}::text::json) as k(p text, t text)
    join trace_segments s on s.project_id = k.p and s.trace_id = k.t
    ${
      spanId === null
        ? sql``
        : sql`where s.format like '%+gzip' or position(decode(${spanId}, 'hex') in s.body) > 0
            or position(convert_to(${spanId}, 'UTF8') in s.body) > 0 or position(convert_to(upper(${spanId}), 'UTF8') in s.body) > 0`
    }
    order by s.project_id, s.trace_id, s.hash`;
  const segments = new Map<string, SegmentRow[]>();
  for (const row of rows) {
    const key = traceKey(row.project_id, row.trace_id);
    const rows = segments.get(key);
    if (rows === undefined) segments.set(key, [row]);
    else rows.push(row);
  }
  return new Map([...segments].map(([key, rows]) => [key, () => readSegments(rows)]));
}

export function traceKey(projectId: string, traceId: string): string {
  return `${projectId}\n${traceId}`;
}

async function readSegments(rows: readonly SegmentRow[]): Promise<MergedTrace> {
  const spans: Span[] = [];
  let bytes = 0;
  for (const row of rows) {
    const isPacked = row.format.endsWith('+gzip');
    const body =
      isPacked && row.body !== null
        ? await gunzipAsync(row.body, { maxOutputLength: intakeLimits.bodyBytes })
        : row.body;
    bytes += body?.length ?? 0;
    if (body === null || bytes > traceBytesMax) {
      throw tooLarge(
        `the trace has more than ${traceBytesMax / 1024 / 1024} MiB of spans, which are stored but cannot be read together`,
      );
    }
    const format = row.format.startsWith('json') ? 'json' : 'proto';
    for (const span of decodeSegment(format, body))
      spans.push(
        hasOddTimes(span, row.received_ms) ? { ...span, flags: [...span.flags, oddTimes] } : span,
      );
  }
  return mergeSpans(spans);
}

/** Stored bytes of segments that are loaded at once. Decoding multiplies their size. */
const partBytes = 8 * 1024 * 1024;

/**
 * Splits traces into groups whose segments fit into memory together; a trace over the limit gets a
 * separate group. Keeps the order.
 */
export async function partBySegments<Key extends TraceKey>(
  ctx: Pick<Ctx, 'sql'>,
  keys: readonly Key[],
): Promise<Key[][]> {
  if (keys.length < 2) return keys.length === 0 ? [] : [[...keys]];
  const wanted = JSON.stringify(keys.map((key) => ({ p: key.projectId, t: key.traceId })));
  const rows = await ctx.sql<{ project_id: string; trace_id: string; bytes: string }[]>`
    select s.project_id, s.trace_id, sum(octet_length(s.body)) as bytes
    from json_to_recordset(${wanted}::text::json) as k(p text, t text)
    join trace_segments s on s.project_id = k.p and s.trace_id = k.t group by 1, 2`;
  const sizes = new Map(
    rows.map((row) => [traceKey(row.project_id, row.trace_id), Number(row.bytes)]),
  );
  const parts: Key[][] = [];
  let part: Key[] = [];
  let bytes = 0;
  for (const key of keys) {
    const size = sizes.get(traceKey(key.projectId, key.traceId)) ?? 0;
    if (part.length > 0 && bytes + size > partBytes) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(key);
    bytes += size;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}
