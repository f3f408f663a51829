import { readExportJson } from './read-json';
import { readProto } from './read-proto';
import type { ExportRead, RejectedSpan, Segment, SegmentFormat } from './segment';
import { type ByteRange, type ResourceLayout, type ResourcePart, splitByTrace } from './split';
import { joinJson, layoutJson } from './split-json';
import { joinProto, layoutProto, spanMessage } from './split-proto';
import type { Tally } from './tally';

/**
 * Reads an OTLP export request as far as the intake needs: its traces, its bad spans, and the bytes
 * to store for each trace. A bad span never affects its neighbours, and no segment contains one.
 * Nothing is decoded; `decodeSegment` does that, for readers. `validUtf8` applies to JSON only.
 * @throws AssayError invalid_request (not an export request), too_large (more than 50,000 spans)
 */
export function readExport(body: Buffer, format: SegmentFormat, validUtf8: boolean): ExportRead {
  if (body.length === 0) return { segments: [], spans: 0, rejected: [] };
  if (format === 'proto')
    return cut(readProto(body), body, () => protoSource(body), { format, flags: [] });
  const text = body.toString('utf8');
  const flags = validUtf8 ? [] : ['invalid_utf8'];
  // Text goes to PostgreSQL unescaped; invalid UTF-8 is not text, and its bytes are kept.
  return cut(
    readExportJson(text),
    validUtf8 ? text : body,
    () => jsonSource(body, validUtf8 ? text : null),
    { format, flags },
  );
}

/** The parts of a request, and how to join some of them. */
interface Source {
  readonly layout: readonly ResourceLayout[];
  join(parts: readonly ResourcePart[]): Buffer | string;
  span(place: ByteRange): Buffer;
}

function cut(
  tally: Tally,
  body: Buffer | string,
  sourceOf: () => Source,
  common: Pick<Segment, 'format' | 'flags'>,
): ExportRead {
  const spans = tally.traceOf.length;
  if (tally.faults.length === 0 && tally.traces.size <= 1) {
    return {
      segments: [...tally.traces].map(([traceId, counts]) => ({
        traceId,
        body,
        isWhole: true,
        ...counts,
        ...common,
      })),
      spans,
      rejected: [],
    };
  }
  const source = sourceOf();
  const parts = splitByTrace(source.layout, tally.traceOf);
  const segments = [...tally.traces].map(([traceId, counts]) => ({
    traceId,
    body: source.join(parts.get(traceId) ?? []),
    isWhole: false,
    ...counts,
    ...common,
  }));
  return { segments, spans, rejected: rejectedSpans(tally, source) };
}

function rejectedSpans(tally: Tally, source: Source): RejectedSpan[] {
  if (tally.faults.length === 0) return [];
  const places = source.layout.flatMap((resource) =>
    resource.scopes.flatMap((scope) => scope.spans),
  );
  return tally.faults.map(({ index, message }) => {
    const place = places[index];
    if (place === undefined) throw new Error('the layout of a request does not match its spans');
    return { index, message, body: source.span(place) };
  });
}

function protoSource(body: Buffer): Source {
  return {
    layout: layoutProto(body),
    join: (parts) => joinProto(body, parts),
    span: (place) => spanMessage(body, place),
  };
}

/**
 * `text` null if the bytes are not UTF-8. JSON's structure is ASCII, so it is found in the bytes,
 * which stay unchanged.
 */
function jsonSource(body: Buffer, text: string | null): Source {
  const from = text ?? body.toString('latin1');
  const encoding = text === null ? 'latin1' : 'utf8';
  return {
    layout: layoutJson(from),
    join: (parts) =>
      text === null ? Buffer.from(joinJson(from, parts), 'latin1') : joinJson(from, parts),
    span: ({ start, end }) => Buffer.from(from.slice(start, end), encoding),
  };
}
