import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assembleTrace } from '../assembly/assemble';
import { mergeSpans } from '../assembly/merge-spans';
import { langfuseScope } from '../conventions/langfuse';
import { decodeSegment } from '../otlp/decode-segment';
import { exportJson, type PlainSpan } from '../otlp/encode-json';
import { type BatchEvent, EventFault, readBatch } from './batch-event';
import { eventSpan } from './event-span';

const timestamp = '2026-01-05T10:00:00.123Z';

function spansOf(...events: readonly object[]): PlainSpan[] {
  return readBatch(Buffer.from(JSON.stringify({ batch: events }))).flatMap(({ event, fault }) => {
    expect(fault).toBe(null);
    return (event === null ? null : eventSpan(event)) ?? [];
  });
}

function assembled(...events: readonly object[]) {
  const body = exportJson({ scope: { name: langfuseScope }, spans: spansOf(...events) });
  const merged = mergeSpans(decodeSegment('json', body));
  const trace = assembleTrace(merged.spans);
  return {
    ...merged,
    ...trace,
    turns: trace.turns.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>),
  };
}

const event = (type: string, body: object, time = timestamp) => ({
  id: `${type} ${JSON.stringify(body)}`,
  type,
  timestamp: time,
  body,
});

test.each([
  ['a UUID', '4BFC089A-8a85-401b-aeb5-b61507ad6fac', '4bfc089a8a85401baeb5b61507ad6fac'],
  ['16 bytes in hex', '4bfc089a8a85401baeb5b61507ad6fac', '4bfc089a8a85401baeb5b61507ad6fac'],
  ['any text', 'order 17', expect.stringMatching(/^[0-9a-f]{32}$/)],
  ['zeros', '0'.repeat(32), expect.stringMatching(/[1-9a-f]/)],
])('the id of a trace that is %s', (_name, id, expected) => {
  const [span] = spansOf(event('trace-create', { id }));
  expect(span?.traceId).toEqual(expected);
  expect(spansOf(event('trace-create', { id }))).toEqual([span]);
});

test('a trace, an observation and a score of the same id are three spans', () => {
  const body = { id: 'x', traceId: 'x', name: 'n', value: 1 };
  const ids = spansOf(
    event('trace-create', body),
    event('span-create', body),
    event('score-create', body),
  ).map(({ spanId }) => spanId);
  expect(new Set(ids).size).toBe(3);
});

test.each([
  ['2026-01-05T10:00:00Z', '1767607200000000000'],
  ['2026-01-05T10:00:00.5Z', '1767607200500000000'],
  ['2026-01-05T11:00:00.123456789+01:00', '1767607200123456789'],
  ['2026-01-05T10:00:00.1234567891Z', '1767607200123456789'],
])('%s keeps its nanoseconds', (startTime, ns) => {
  expect(spansOf(event('span-create', { startTime }))[0]?.startNs).toBe(ns);
});

test('numbers keep their digits', () => {
  const text = `{"batch":[{"id":"e","type":"span-create","timestamp":"${timestamp}",
    "body":{"id":"s","output":{"files":12345678901234567890,"pct":91.40}}}]}`;
  const [item] = readBatch(Buffer.from(text));
  const span = item?.event == null ? null : eventSpan(item.event);
  const attributes = new Map(
    Object.entries(Object.fromEntries(span?.attributes as Map<string, string>)),
  );
  expect(attributes.get('langfuse.observation.output')).toBe(
    '{"files":12345678901234567890,"pct":91.40}',
  );
});

const types = ['agent', 'tool', 'chain', 'retriever', 'evaluator', 'embedding', 'guardrail'];
test.each([
  ...['span', 'generation', 'event', ...types].map((type) => [`${type}-create`, {}, type] as const),
  ['observation-create', { type: 'GENERATION' }, 'generation'] as const,
  ['observation-update', { id: 'o', type: 'TOOL' }, 'tool'] as const,
])('%s %j is an observation of the type %s', (type, body, expected) => {
  const [span] = spansOf(event(type, { id: 'o', ...body }));
  expect(Object.fromEntries(span?.attributes as Map<string, unknown>)).toMatchObject({
    'langfuse.observation.type': expected,
  });
});

const answered = (model: object) => [
  event('generation-create', {
    id: 'g',
    traceId: 't',
    startTime: '2026-01-05T10:00:05Z',
    ...model,
  }),
];

describe('a span is a tool only if it is one', () => {
  const end = '2026-01-05T10:00:01Z';
  const span = (body: object) =>
    event('span-create', {
      traceId: 't',
      id: 's',
      name: 'disk',
      startTime: end,
      endTime: end,
      ...body,
    });
  const message = {
    content: '{"pct":91.4}',
    tool_call_id: 'c1',
    name: 'disk',
    response_metadata: {},
  };
  test.each([
    ['with a result', [span({ input: { host: 'a' }, output: { pct: 91.4 } })], 1],
    ['with a text as its result', [span({ output: 'pct: 91.4' })], 1],
    ['with a tool message', [span({ output: { lc_kwargs: message, lc_namespace: [] } })], 1],
    ['without a result', [span({ input: { host: 'a' } })], 0],
    [
      'that passes on messages',
      [span({ output: { messages: [{ role: 'user', content: '9' }] } })],
      0,
    ],
    [
      'that routes messages',
      [span({ input: [{ role: 'user', content: '9' }], output: 'next' })],
      0,
    ],
    ['that repeats the answer', [span({ output: { said: 'full "91.4"' } })], 0],
    ['that is the answer', [span({ output: 'full "91.4"' })], 0],
    ['that ends during the answer', [span({ endTime: '2026-01-05T10:00:05.5Z', output: '9' })], 0],
    ['that ends after the answer', [span({ endTime: '2026-01-05T10:00:09Z', output: '9' })], 0],
    [
      'that encloses another',
      [
        span({ output: { pct: 91.4 } }),
        event('span-create', {
          traceId: 't',
          id: 'inner',
          parentObservationId: 's',
          name: 'inner',
        }),
      ],
      0,
    ],
  ])('%s', (_name, spans, count) => {
    const answer = answered({ output: 'full "91.4"', endTime: '2026-01-05T10:00:06Z' });
    const { turns } = assembled(...spans, ...answer);
    expect(turns[0]?.tools).toHaveLength(count);
  });

  test('the content of a tool message is its result', () => {
    const message = { content: '{"pct":91.4}', tool_call_id: 'c1', name: 'disk' };
    const { turns } = assembled(
      span({ output: { lc_kwargs: message, lc_namespace: [] } }),
      ...answered({ output: 'full', endTime: '2026-01-05T10:00:06Z' }),
    );
    expect(turns[0]?.tools).toEqual([{ id: 'c1', name: 'disk', result: { pct: 91.4 } }]);
  });
});

test('a later update wins, whatever the order; updates are no conflict', () => {
  const events = [
    ...answered({ output: 'first', model: 'gpt-4o' }),
    event('generation-update', { id: 'g', traceId: 't', output: 'second' }),
    event('generation-update', { id: 'g', traceId: 't', output: 'third' }, '2026-01-05T10:00:01Z'),
    event('trace-create', { id: 't', sessionId: 'early', tags: ['a'] }),
    event('trace-create', { id: 't', sessionId: 'late' }, '2026-01-05T10:00:02Z'),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(events, { minLength: events.length }), (order) => {
      const { turns, flags, conflict, sessionId, tags } = assembled(...order);
      expect(turns.map(({ output }) => output)).toEqual(['third']);
      expect([flags, conflict, sessionId, tags]).toEqual([[], false, 'late', ['a']]);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['usage', { usage: { input: 40, output: 12, unit: 'TOKENS' } }, [40, 12, null]],
  ['OpenAI’s usage', { usage: { promptTokens: 40, completionTokens: 12 } }, [40, 12, null]],
  [
    'usage details',
    { usageDetails: { input: 40, output: 12 }, usage: { input: 1 } },
    [40, 12, null],
  ],
  ['costs', { usage: { input: 4, inputCost: 0.5, outputCost: 0.25 } }, [4, null, 0.75]],
  ['a total cost', { usage: { input: 4, inputCost: 0.5, totalCost: 2 } }, [4, null, 2]],
  ['cost details', { costDetails: { total: 3 }, usage: { totalCost: 2 } }, [null, null, 3]],
])('%s', (_name, body, [input, output, cost]) => {
  const trace = assembled(...answered({ output: 'x', ...body }));
  const { inputTokens, outputTokens, sentCostUsd } = trace.usage;
  expect([inputTokens, outputTokens, sentCostUsd]).toEqual([input, output, cost]);
});

test('an observation in error has its status and message', () => {
  const [span] = spansOf(event('span-create', { level: 'ERROR', statusMessage: 'no route' }));
  expect(span?.status).toEqual({ code: 2, message: 'no route' });
});

/** @throws any error that is not a fault */
function spanOrFault(read: BatchEvent): PlainSpan | null | 'fault' {
  try {
    return eventSpan(read);
  } catch (error) {
    if (error instanceof EventFault) return 'fault';
    throw error;
  }
}

const decodedCount = (span: PlainSpan): number =>
  decodeSegment('json', exportJson({ spans: [span] })).length;

const members =
  'id traceId name value parentObservationId startTime endTime input output usage usageDetails ' +
  'costDetails metadata tags level model sessionId userId timestamp type statusMessage __proto__';

test('no event is lost or throws anything but a fault, whatever its members are', () => {
  const body = fc.dictionary(
    fc.constantFrom(...members.split(' ')),
    fc.oneof(fc.jsonValue(), fc.constant(timestamp), fc.constant('\u0000\ud800')),
  );
  const hostile = fc.record(
    {
      id: fc.jsonValue(),
      type: fc.oneof(
        fc.constantFrom('trace-create', 'span-create', 'span-update', 'generation-create'),
        fc.constantFrom('generation-update', 'event-create', 'score-create', 'sdk-log'),
        fc.jsonValue(),
      ),
      timestamp: fc.oneof(fc.constant(timestamp), fc.jsonValue()),
      body: fc.oneof(body, fc.jsonValue()),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), (batch) => {
      const items = readBatch(Buffer.from(JSON.stringify({ batch })));
      expect(items.map(({ index }) => index)).toEqual(batch.map((_, index) => index));
      for (const { event: read, fault } of items) {
        expect((read === null) === (fault !== null)).toBe(true);
        const outcome = read === null ? null : spanOrFault(read);
        expect(outcome === null || outcome === 'fault' ? 1 : decodedCount(outcome)).toBe(1);
      }
    }),
    { numRuns: 300 },
  );
});
