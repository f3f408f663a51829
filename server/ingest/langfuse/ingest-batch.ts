import type { ProjectCtx } from '../../access';
import { sha256 } from '../../platform';
import { recordDeadLetters, type Rejected } from '../intake/dead-letters';
import type { SegmentWriter } from '../intake/segment-writer';
import type { NewSegment } from '../intake/store-segments';
import { exportJson, type PlainSpan } from '../otlp/encode-json';
import { langfuseScope } from '../conventions/langfuse';
import { type BatchItem, EventFault, readBatch } from './batch-event';
import { eventSpan } from './event-span';

/** The answer of Langfuse's ingestion API: each event is in one of the two lists. */
export interface IngestedBatch {
  readonly successes: readonly { readonly id: string; readonly status: 201 }[];
  readonly errors: readonly {
    readonly id: string;
    readonly status: 400;
    readonly message: string;
  }[];
}

interface Translated {
  readonly item: BatchItem;
  /** Null for an event that describes nothing. */
  readonly span: PlainSpan | null;
}

/**
 * Takes a batch of Langfuse's ingestion API: when this resolves, its events are stored as spans,
 * with the work of assembling them into turns. Resent events are stored once.
 * @throws AssayError invalid_request, too_large (the batch as a whole), unavailable, rate_limited
 * (send again)
 */
export async function ingestBatch(
  ctx: ProjectCtx,
  writer: SegmentWriter,
  body: Buffer,
): Promise<IngestedBatch> {
  const faults: Faults = new Map();
  const items = readBatch(body);
  const translated = items.flatMap((item) => translate(item, faults));
  const traces = byTrace(translated);
  const results = await writer.write(
    [...traces].map(([traceId, events]) => segmentOf(ctx.projectId, traceId, events)),
  );
  [...traces.values()].forEach((events, at) => {
    const result = results[at];
    if (result?.state !== 'refused') return;
    for (const { item } of events)
      faults.set(item, { code: 'not_storable', message: result.message });
  });
  const rejected = [...faults].map(
    ([{ index, text }, fault]): Rejected => ({ index, ...fault, body: Buffer.from(text) }),
  );
  await recordDeadLetters(ctx, { route: '/api/public/ingestion', request: body, rejected });
  return {
    successes: items.filter((item) => !faults.has(item)).map(({ id }) => ({ id, status: 201 })),
    errors: [...faults].map(([{ id }, { message }]) => ({ id, status: 400, message })),
  };
}

type Faults = Map<BatchItem, Pick<Rejected, 'code' | 'message'>>;

function translate(item: BatchItem, faults: Faults): Translated[] {
  try {
    if (item.event !== null) return [{ item, span: eventSpan(item.event) }];
    faults.set(item, { code: 'invalid_event', message: item.fault ?? '' });
  } catch (error) {
    if (!(error instanceof EventFault)) throw error;
    faults.set(item, { code: 'invalid_event', message: error.message });
  }
  return [];
}

function byTrace(translated: readonly Translated[]): Map<string, Translated[]> {
  const traces = new Map<string, Translated[]>();
  for (const each of translated) {
    if (each.span === null) continue;
    const events = traces.get(each.span.traceId);
    if (events === undefined) traces.set(each.span.traceId, [each]);
    else events.push(each);
  }
  return traces;
}

function segmentOf(projectId: string, traceId: string, events: readonly Translated[]): NewSegment {
  const spans = events.map(({ span }) => span).filter((span) => span !== null);
  const body = exportJson({ scope: { name: langfuseScope }, spans });
  return {
    projectId,
    traceId,
    hash: `j${sha256(body)}`,
    format: 'json',
    body,
    bytes: Buffer.byteLength(body),
    spans: spans.length,
    hasRoot: spans.some(({ parentSpanId }) => parentSpanId === undefined),
  };
}
