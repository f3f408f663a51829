import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';
import { type LogRecord, type LogShared, readLogs } from '../otlp/read-logs';
import { compareNs } from '../span-time';
import type { Rejected } from './dead-letters';
import { type JsonSpan, placeLog } from './place-log';
import type { NewSegment } from './store-segments';
import { hashOf, type IngestExportInput } from './ingest-export';

/** The parts of a request of log records that Assay uses. */
export interface LogSegments {
  /** Number of log records, good or bad. */
  readonly count: number;
  /** One trace each: spans that carry its log records as events. */
  readonly segments: readonly NewSegment[];
  readonly rejected: readonly Rejected[];
  /**
   * The number of records that look like content of model calls but are not read, by event name.
   */
  readonly unread: ReadonlyMap<string, number>;
}

/**
 * Selects the log records with content of model calls, and writes each as an event of its span. The
 * same request yields the same segments.
 * @throws AssayError invalid_request, too_large
 */
export function readLogSegments(
  projectId: string,
  { body, format }: Pick<IngestExportInput, 'body' | 'format'>,
): LogSegments {
  const read = readLogs(body, format);
  const rejected: Rejected[] = read.rejected.map((each) => ({
    ...each,
    code: 'invalid_log_record',
  }));
  const traces = new Map<string, Placed[]>();
  const unread = new Map<string, number>();
  for (const record of read.records) {
    const place = placeLog(record);
    if (place.kind === 'event') {
      const placed = traces.get(place.traceId) ?? [];
      traces.set(place.traceId, placed);
      placed.push({ shared: record.shared, span: place.span });
    } else if (place.kind === 'refused') rejected.push(refusal(record, place.message));
    else if (place.kind === 'unread') unread.set(place.name, (unread.get(place.name) ?? 0) + 1);
  }
  return { count: read.count, segments: segmentsOf(projectId, traces), rejected, unread };
}

function refusal({ index, fields }: LogRecord, message: string): Rejected {
  return { index, code: 'no_span', message, body: Buffer.from(JSON.stringify(fields)) };
}

interface Placed {
  readonly shared: LogShared;
  readonly span: JsonSpan;
}

/** @throws AssayError too_large when repeating the shared parts would multiply the size */
function segmentsOf(
  projectId: string,
  traces: ReadonlyMap<string, readonly Placed[]>,
): NewSegment[] {
  const heads = new Map<LogShared, string>();
  let repeated = 0;
  return [...traces].map(([traceId, placed]) => {
    const groups = grouped(placed, ({ shared }) => shared);
    const parts = [...groups].map(([shared, members]) => {
      const head = heads.get(shared) ?? headOf(shared);
      heads.set(shared, head);
      repeated += head.length;
      if (repeated > intakeLimits.repeatedBytes)
        throw tooLarge(
          `the resource and the scope, repeated for each trace of the request, exceed ${intakeLimits.repeatedBytes} bytes; send fewer traces at once`,
        );
      const spans = gatherEvents(members.map(({ span }) => span));
      return `{${head},"spans":${JSON.stringify(spans)}}]}`;
    });
    const body = `{"resourceSpans":[${parts.join(',')}]}`;
    return {
      projectId,
      traceId,
      hash: hashOf('json', body),
      format: 'json',
      body,
      bytes: Buffer.byteLength(body),
      spans: placed.length,
      // A log record does not announce the end of its trace: assembly waits for more.
      hasRoot: false,
    };
  });
}

/** The members of one group of a trace export up to its spans. */
function headOf({ resource, scope }: LogShared): string {
  return `"resource":${JSON.stringify(resource ?? {})},"scopeSpans":[{"scope":${JSON.stringify(scope ?? {})}`;
}

/**
 * One span for the events of a span in this request, by time: events of one time keep their order,
 * and repeats are kept.
 */
function gatherEvents(spans: readonly JsonSpan[]): JsonSpan[] {
  const same = grouped(spans, ({ spanId, parentSpanId, name, status }) =>
    JSON.stringify([spanId, parentSpanId, name, status]),
  );
  return [...same.values()].flatMap((all) =>
    chunked(all.sort(byTime)).flatMap((part) => {
      const [first] = part;
      if (first === undefined) return [];
      const starts = part.map((span) => span.startTimeUnixNano).sort(compareNs);
      return {
        ...first,
        startTimeUnixNano: starts[0] ?? first.startTimeUnixNano,
        endTimeUnixNano: part.at(-1)?.endTimeUnixNano ?? first.endTimeUnixNano,
        events: part.flatMap(({ events }) => events),
      };
    }),
  );
}

function byTime(a: JsonSpan, b: JsonSpan): number {
  return compareNs(a.endTimeUnixNano, b.endTimeUnixNano);
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** A span has at most `eventsPerSpan` events. */
function chunked<Item>(items: readonly Item[]): Item[][] {
  const size = intakeLimits.eventsPerSpan;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) =>
    items.slice(n * size, (n + 1) * size),
  );
}
