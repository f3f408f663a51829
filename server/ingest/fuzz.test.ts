// exports of spans and logs and batches of events, mutated in their fields and lengths: each
// is accepted or refused, and accepted ones become readable turns.
import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import { fuzzExtent, fuzzOptions } from '../../testing/fuzz/extent';
import { check, fuzz, type Outcome } from '../../testing/fuzz/fuzz';
import { mutateBytes, mutateJson, pick } from '../../testing/fuzz/mutate';
import { mutateProto } from '../../testing/fuzz/mutate-proto';
import { spanAttributes } from '../../testing/fuzz/span-attributes';
import { logsOf, type OtlpLog } from '../../testing/otlp';
import { encodeProto } from '../../testing/otlp-library';
import type { Random } from '../../testing/seed';
import { AssayError } from '../platform';
import { assembleTrace } from './assembly/assemble';
import { mergeSpans } from './assembly/merge-spans';
import { type BatchEvent, EventFault, readBatch } from './langfuse/batch-event';
import { eventSpan } from './langfuse/event-span';
import { decodeSegment } from './otlp/decode-segment';
import { exportJson } from './otlp/encode-json';
import { readExport } from './otlp/read-export';
import { readLogs } from './otlp/read-logs';
import type { SegmentFormat } from './otlp/segment';

const extent = fuzzExtent(400, 4);

/**
 * @param read returns how much it read
 * @throws an error that is not a refusal
 */
function outcomeOf(read: () => number): Outcome {
  try {
    return read() > 0 ? 'taken' : 'refused';
  } catch (error) {
    if (!(error instanceof AssayError) || !/^(invalid_request|too_large)$/.test(error.code))
      throw error;
    check(error.message !== '', 'a refusal has a message');
    return 'refused';
  }
}

const exports = spanAttributes.map((attributes, at) => {
  const spans = attributes.map((own, n) => ({
    traceId: 'ab'.repeat(16),
    spanId: `${n + 1}`.repeat(16),
    parentSpanId: n === 0 ? '' : '1'.repeat(16),
    name: `span ${n}`,
    startNs: `17000000000000000${n}1`,
    endNs: `17000000000000000${n}2`,
    status: { code: n % 3, message: 'm' },
    attributes: own,
    events: [
      {
        name: 'gen_ai.choice',
        timeNs: '1700000000000000001',
        attributes: { index: 0, message: '{"content":"It is 5%."}' },
      },
    ],
  }));
  return JSON.parse(
    exportJson({
      resource: { 'service.name': 'agent' },
      scope: { name: pick(['tests', 'ai', 'langfuse-sdk'], { between: () => at % 3 }) },
      spans,
    }),
  ) as object;
});

/** Taken: at least one turn was assembled. */
function take(body: Buffer, format: SegmentFormat): Outcome {
  return outcomeOf(() => {
    const { segments } = readExport(body, format, isUtf8(body));
    const turns = segments.flatMap(
      (segment) => assembleTrace(mergeSpans(decodeSegment(format, segment.body)).spans).turns,
    );
    for (const { payload } of turns) JSON.parse(payload);
    return turns.length;
  });
}

function makeExport(format: SegmentFormat, random: Random): Buffer {
  const from = pick(exports, random);
  const body =
    format === 'json'
      ? Buffer.from(mutateJson(from, random))
      : mutateProto(encodeProto(from), random);
  return random.next() < 0.2 ? mutateBytes(body, random) : body;
}

test.each<SegmentFormat>(['json', 'proto'])(
  'R-106 exports of spans as %s whose fields are mutated are taken or refused, never slowly',
  fuzzOptions(extent),
  (format) => {
    const taken = fuzz(`R-106 spans ${format}`, extent, {
      make: (random) => makeExport(format, random),
      run: (body) => take(body, format),
      show: (body) => body.toString(format === 'json' ? 'utf8' : 'base64'),
    });
    expect(taken).toBeGreaterThan(0);
  },
);

const text = (stringValue: string) => ({ stringValue });
const records: readonly OtlpLog[] = [
  {
    traceId: 'ab'.repeat(16),
    spanId: '1'.repeat(16),
    timeUnixNano: '1764000000500000000',
    eventName: 'gen_ai.user.message',
    attributes: [{ key: 'event.name', value: text('gen_ai.user.message') }],
    body: { kvlistValue: { values: [{ key: 'content', value: text('How full?') }] } },
  },
  {
    eventName: 'claude_code.api_request',
    attributes: [
      { key: 'session.id', value: text('s-1') },
      { key: 'cost_usd', value: { doubleValue: 0.1 } },
      { key: 'input_tokens', value: { intValue: '7' } },
    ],
  },
];

test(
  'R-106 exports of logs that are mutated are taken or refused, never slowly',
  fuzzOptions(extent),
  () => {
    const json: unknown = JSON.parse(logsOf('json', records).toString());
    const proto = logsOf('proto', records);
    expect(readLogs(proto, 'proto')).toMatchObject({ count: 2, rejected: [] });
    const taken = fuzz<[SegmentFormat, Buffer]>('R-106 logs', extent, {
      make: (random) =>
        random.next() < 0.5
          ? ['json', Buffer.from(mutateJson(json, random))]
          : ['proto', mutateProto(proto, random)],
      run: ([format, body]) => outcomeOf(() => readLogs(body, format).count),
      show: ([format, body]) => body.toString(format === 'json' ? 'utf8' : 'base64'),
    });
    expect(taken).toBeGreaterThan(0);
  },
);

const observation = { traceId: 'order-17', id: 'answer-1', model: 'gpt-4o', name: 'answer' };
const timestamp = '2026-01-05T10:00:00.000Z';
const batch = {
  batch: [
    { id: 'e-1', type: 'trace-create', timestamp, body: { id: 'order-17', sessionId: 's-1' } },
    {
      id: 'e-2',
      type: 'generation-create',
      timestamp,
      body: {
        ...observation,
        startTime: timestamp,
        input: [{ role: 'user', content: 'How full?' }],
        output: { role: 'assistant', content: 'It is 91.4%.' },
        usage: { input: 90, output: 12, unit: 'TOKENS', totalCost: 0.1 },
        usageDetails: { input: 90, cache_read_input_tokens: 3 },
        metadata: { a: [1] },
        modelParameters: { temperature: 0 },
      },
    },
    {
      id: 'e-3',
      type: 'span-update',
      timestamp,
      body: { id: 's', traceId: 'order-17', level: 'ERROR' },
    },
    {
      id: 'e-4',
      type: 'score-create',
      timestamp,
      body: { id: 'sc', traceId: 'order-17', name: 'right', value: 0.5, dataType: 'NUMERIC' },
    },
  ],
};

function takeEvent(event: BatchEvent): Outcome {
  try {
    const span = eventSpan(event);
    return span === null ? 'refused' : take(Buffer.from(exportJson({ spans: [span] })), 'json');
  } catch (error) {
    if (!(error instanceof EventFault)) throw error;
    return 'refused';
  }
}

test(
  'R-106 batches of Langfuse events that are mutated are taken or refused, never slowly',
  fuzzOptions(extent),
  () => {
    const taken = fuzz<Buffer>('R-106 Langfuse batches', extent, {
      make: (random) => Buffer.from(mutateJson(batch, random)),
      run: (body) =>
        outcomeOf(() => {
          let taken = 0;
          for (const { event, fault } of readBatch(body)) {
            if (event === null) check(fault !== null, 'an event that is refused has a fault');
            else if (takeEvent(event) === 'taken') taken++;
          }
          return taken;
        }),
      show: String,
    });
    expect(taken).toBeGreaterThan(0);
  },
);
