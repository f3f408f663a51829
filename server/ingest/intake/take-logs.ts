import type { ProjectCtx } from '../../access';
import { intakeLimits } from '../../domain';
import { tooLarge } from '../../platform';
import { readLogs, type LogRecord, type LogShared } from '../otlp/read-logs';
import { recordDeadLetters, type Rejected } from './dead-letters';
import { type JsonSpan, placeLog } from './place-log';
import type { SegmentWriter } from './segment-writer';
import type { NewSegment } from './store-segments';
import { compareNs } from '../span-time';
import { hashOf, type TakeExportInput } from './take-export';

/** The response: how many log records were not stored, and what the client must know. */
export interface LogsTaken {
  readonly records: number;
  readonly rejected: number;
  readonly message: string | null;
}

/**
 * Takes an OTLP export of log records: when this resolves, those with content of model calls are
 * stored as events of their spans, with the work of assembling their traces. Other log records are
 * accepted and not stored.
 * @throws AssayError invalid_request, too_large (the request as a whole), unavailable, rate_limited
 * (send again)
 */
export async function takeLogs(
  ctx: ProjectCtx,
  writer: SegmentWriter,
  input: Pick<TakeExportInput, 'body' | 'format'>,
): Promise<LogsTaken> {
  const read = readLogs(input.body, input.format);
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
  const segments = segmentsOf(ctx.projectId, traces);
  const results = await writer.write(segments);
  const notStorable: Rejected[] = [];
  let refused = 0;
  results.forEach((result, at) => {
    const segment = segments[at];
    if (result.state !== 'refused' || segment === undefined) return;
    refused += segment.spans;
    const { message } = result;
    const body = Buffer.from(segment.body);
    notStorable.push({ index: read.count + at, code: 'not_storable', message, body });
  });
  const all = [...rejected, ...notStorable];
  await recordDeadLetters(ctx, { route: '/v1/logs', request: input.body, rejected: all });
  return {
    records: read.count,
    rejected: rejected.length + refused,
    message: messageOf(all[0], unread),
  };
}

function refusal({ index, fields }: LogRecord, message: string): Rejected {
  return { index, code: 'no_span', message, body: Buffer.from(JSON.stringify(fields)) };
}

const namesMax = 5;

function messageOf(
  first: Rejected | undefined,
  unread: ReadonlyMap<string, number>,
): string | null {
  if (unread.size === 0) return first?.message ?? null;
  const count = [...unread.values()].reduce((sum, each) => sum + each, 0);
  const names = [...unread.keys()].slice(0, namesMax).map((name) => name.slice(0, 100));
  const rest = unread.size > namesMax ? ` and ${unread.size - namesMax} more` : '';
  const warning = `${count} log records with events that Assay does not read were not stored: ${names.join(', ')}${rest}`;
  return first === undefined ? warning : `${first.message}; ${warning}`;
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
 * One span for the events of a span in this request: within one content, their order and repeats
 * are kept.
 */
function gatherEvents(spans: readonly JsonSpan[]): JsonSpan[] {
  const same = grouped(spans, ({ spanId, parentSpanId, name, status }) =>
    JSON.stringify([spanId, parentSpanId, name, status]),
  );
  return [...same.values()].flatMap((all) =>
    chunked(all).flatMap((part) => {
      const [first] = part;
      if (first === undefined) return [];
      const starts = part.map((span) => span.startTimeUnixNano).sort(compareNs);
      const ends = part.map((span) => span.endTimeUnixNano).sort(compareNs);
      return {
        ...first,
        startTimeUnixNano: starts[0] ?? first.startTimeUnixNano,
        endTimeUnixNano: ends.at(-1) ?? first.endTimeUnixNano,
        events: part.flatMap(({ events }) => events),
      };
    }),
  );
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
