import { describe, expect, test } from 'vitest';
import {
  exportOf,
  logsOf,
  nsAfter,
  otlpFormats,
  type OtlpFormat,
  type OtlpLog,
  type OtlpPair,
  type OtlpSpan,
  type OtlpValue,
  spanIdOf,
  text,
  traceIdOf,
} from '../../../testing/otlp';
import { permutations } from '../../../testing/permutations';
import { intakeLimits } from '../../domain';
import { assembleTrace } from '../assembly/assemble';
import type { AssembledTrace } from '../assembly/assembled';
import { mergeSpans } from '../assembly/merge-spans';
import { decodeSegment } from '../otlp/decode-segment';
import type { Span } from '../span';
import { readLogSegments } from './log-segments';

const label = 'logs';
const ids = { traceId: traceIdOf(label), spanId: spanIdOf(1) };
const map = (...values: readonly OtlpPair[]): OtlpValue => ({ kvlistValue: { values } });

/** A model call whose span has no text, as instrumentations send it that put texts into logs. */
const chat: OtlpSpan = {
  ...ids,
  name: 'chat gpt-4o',
  kind: 3,
  startTimeUnixNano: nsAfter(0),
  endTimeUnixNano: nsAfter(100),
  attributes: [
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.system', 'openai'),
    text('gen_ai.response.model', 'gpt-4o'),
    { key: 'gen_ai.usage.input_tokens', value: { intValue: 40 } },
    {
      key: 'gen_ai.response.finish_reasons',
      value: { arrayValue: { values: [{ stringValue: 'stop' }] } },
    },
  ],
};

const call = map(text('id', 'call-1'), text('type', 'function'), {
  key: 'function',
  value: map(text('name', 'disk'), text('arguments', '{"host":"web-1"}')),
});

/**
 * The events of one call, oldest first; the user sends the same text twice within one millisecond.
 */
const messages: readonly (readonly [name: string, ms: number, body: OtlpValue])[] = [
  ['gen_ai.system.message', 1, map(text('content', 'Be brief.'))],
  ['gen_ai.user.message', 1, map(text('content', 'Again.'))],
  ['gen_ai.user.message', 1, map(text('content', 'Again.'))],
  [
    'gen_ai.assistant.message',
    2,
    map({ key: 'tool_calls', value: { arrayValue: { values: [call] } } }),
  ],
  ['gen_ai.tool.message', 3, map(text('id', 'call-1'), text('content', '{"disk_pct":91.4}'))],
  [
    'gen_ai.choice',
    99,
    map(
      text('finish_reason', 'stop'),
      { key: 'index', value: { intValue: 0 } },
      { key: 'message', value: map(text('role', 'assistant'), text('content', 'It is at 91.4%.')) },
    ),
  ],
];

type Naming = 'eventName' | 'event.name' | 'body';

function legacyLogs(naming: Naming = 'event.name'): OtlpLog[] {
  return messages.map(([name, ms, body]) => ({
    ...ids,
    timeUnixNano: nsAfter(ms),
    ...(naming === 'eventName' ? { eventName: name, body } : {}),
    ...(naming === 'event.name' ? { body } : {}),
    ...(naming === 'body' ? { body: { stringValue: name } } : {}),
    attributes: [
      text('gen_ai.system', 'openai'),
      ...(naming === 'event.name' ? [text('event.name', name)] : []),
      ...(naming === 'body' ? (body.kvlistValue?.values ?? []) : []),
    ],
  }));
}

/** One request: spans or log records. */
type Request = { readonly spans: readonly OtlpSpan[] } | { readonly logs: readonly OtlpLog[] };

function spansOf(requests: readonly Request[], format: OtlpFormat): Span[] {
  return requests.flatMap((request) => {
    if ('spans' in request) return decodeSegment(format, exportOf(format, request.spans));
    const { segments } = readLogSegments('p', { body: logsOf(format, request.logs), format });
    return segments.flatMap(({ body }) => decodeSegment('json', body));
  });
}

function assembled(requests: readonly Request[], format: OtlpFormat = 'json'): AssembledTrace {
  return assembleTrace(mergeSpans(spansOf(requests, format)).spans);
}

function turnsOf(trace: AssembledTrace): Record<string, unknown>[] {
  return trace.turns.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
}

const expectedTurn = {
  model: 'openai/gpt-4o',
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Again.' },
    { role: 'user', content: 'Again.' },
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'call-1', name: 'disk', arguments: { host: 'web-1' } }],
    },
    { role: 'tool', tool_call_id: 'call-1', content: { disk_pct: 91.4 } },
  ],
  tools: [{ id: 'call-1', name: 'disk', arguments: { host: 'web-1' }, result: { disk_pct: 91.4 } }],
  output: 'It is at 91.4%.',
  tokens: { input: 40 },
};

describe.each(otlpFormats)('legacy message events as log records: %s', (format) => {
  test.each<Naming>(['eventName', 'event.name', 'body'])(
    'the name may be in %s; the turn is as if they were attributes',
    (naming) => {
      const trace = assembled([{ spans: [chat] }, { logs: legacyLogs(naming) }], format);
      expect(turnsOf(trace)).toMatchObject([expectedTurn]);
      expect(trace).toMatchObject({ spans: 1, name: 'chat gpt-4o', flags: [], notes: [] });
    },
  );

  test('every order of arrival gives one trace, in requests of their own or together', () => {
    const [system, user, again, assistant, tool, choice] = legacyLogs();
    const parts: Request[] = [
      { spans: [chat] },
      { logs: [system, user, again].filter((log) => log !== undefined) },
      { logs: [assistant, tool].filter((log) => log !== undefined) },
      { logs: [choice].filter((log) => log !== undefined) },
    ];
    for (const requests of permutations(parts)) {
      const trace = assembled(requests, format);
      expect(turnsOf(trace)).toMatchObject([expectedTurn]);
      // Repeats of any request change nothing, nor does another split of the records.
      expect(assembled([...requests, ...requests], format)).toEqual(trace);
      expect(assembled([...requests, { logs: legacyLogs() }], format)).toEqual(trace);
    }
  });
});

test('log records of a span that never arrives give a turn of their own, which the span completes', () => {
  const alone = assembled([{ logs: legacyLogs() }]);
  expect(turnsOf(alone)).toMatchObject([{ output: 'It is at 91.4%.', input: expectedTurn.input }]);
  expect(alone).toMatchObject({ name: 'log events', models: [], flags: [] });
  const whole = assembled([{ logs: legacyLogs() }, { spans: [chat] }]);
  expect(whole.turns.map(({ spanId }) => spanId)).toEqual(alone.turns.map(({ spanId }) => spanId));
});

test('a merged span is the same after merging again, and log records are no conflict', () => {
  const spans = spansOf([{ logs: legacyLogs() }, { spans: [chat] }], 'json');
  const once = mergeSpans(spans);
  expect(once.conflict).toBe(false);
  expect(mergeSpans([...once.spans, ...spans])).toEqual(once);
  expect(once.spans[0]?.attributes.has('assay.log_events')).toBe(false);
  const other = { ...chat, name: 'another content' };
  const two = mergeSpans(spansOf([{ spans: [chat, other] }, { logs: legacyLogs() }], 'json'));
  expect(two.conflict).toBe(true);
  expect(two.spans[0]?.events).toHaveLength(messages.length);
});

const part = (role: string, content: string) => [{ role, parts: [{ type: 'text', content }] }];
const structured = (role: string, content: string): OtlpValue => ({
  arrayValue: {
    values: [
      map(text('role', role), {
        key: 'parts',
        value: { arrayValue: { values: [map(text('type', 'text'), text('content', content))] } },
      }),
    ],
  },
});
const detailsName = 'gen_ai.client.inference.operation.details';
const details = (attributes: readonly OtlpPair[], more: OtlpLog = {}): OtlpLog => ({
  ...ids,
  timeUnixNano: nsAfter(99),
  eventName: detailsName,
  attributes,
  ...more,
});
const input = text('gen_ai.input.messages', JSON.stringify(part('user', 'How full?')));
const output = text('gen_ai.output.messages', JSON.stringify(part('assistant', 'It is at 91.4%.')));
const system = text('gen_ai.system_instructions', '[{"type":"text","content":"Be brief."}]');
const shortTurn = {
  input: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How full?' },
  ],
  output: 'It is at 91.4%.',
};

test.each<[string, readonly OtlpLog[]]>([
  ['JSON text', [details([input, output, system])]],
  [
    'structured values',
    [
      details([
        { key: 'gen_ai.input.messages', value: structured('user', 'How full?') },
        { key: 'gen_ai.output.messages', value: structured('assistant', 'It is at 91.4%.') },
        system,
      ]),
    ],
  ],
  ['members of the body', [details([], { body: map(input, output, system) })]],
  ['input and output in two records', [details([input, system]), details([output])]],
  ['another event name', [details([input, output, system], { eventName: 'my.model.call' })]],
  ['no event name', [{ ...ids, attributes: [input, output, system] }]],
])('details of a call as a log record: %s', (_what, logs) => {
  for (const requests of permutations<Request>([
    { spans: [chat] },
    ...logs.map((log) => ({ logs: [log] })),
  ]))
    expect(turnsOf(assembled(requests))).toMatchObject([{ ...shortTurn, model: 'openai/gpt-4o' }]);
});

test('parts of a streamed output in several records are one answer', () => {
  const piece = (content: string, ms: number) =>
    details([text('gen_ai.output.messages', JSON.stringify(part('assistant', content)))], {
      timeUnixNano: nsAfter(ms),
    });
  const logs = [
    details([input], { timeUnixNano: nsAfter(1) }),
    piece('First.', 2),
    piece('Second.', 3),
  ];
  for (const order of permutations(logs))
    expect(turnsOf(assembled([{ spans: [chat] }, { logs: order }]))).toMatchObject([
      { input: [{ role: 'user', content: 'How full?' }], output: 'First.\n\nSecond.' },
    ]);
});

test('details without a trace id are a trace of their own', () => {
  const {
    traceId: _trace,
    spanId: _span,
    ...free
  } = details([
    input,
    output,
    text('gen_ai.operation.name', 'chat'),
    text('gen_ai.conversation.id', 's-1'),
  ]);
  const trace = assembled([{ logs: [free] }, { logs: [free] }]);
  expect(trace).toMatchObject({ spans: 1, sessionId: 's-1' });
  expect(turnsOf(trace)).toMatchObject([{ output: 'It is at 91.4%.' }]);
});

test.each<[string, OtlpLog]>([
  ['of its span', ids],
  ['by response id, without a span', { traceId: ids.traceId }],
])('an evaluation is a score of another tool: %s', (_what, place) => {
  const score: OtlpLog = {
    ...place,
    timeUnixNano: nsAfter(500),
    eventName: 'gen_ai.evaluation.result',
    attributes: [
      text('gen_ai.evaluation.name', 'relevance'),
      { key: 'gen_ai.evaluation.score.value', value: { doubleValue: 0.75 } },
      text('gen_ai.response.id', 'r-1'),
    ],
  };
  const answered = { ...chat, attributes: [...chat.attributes, text('gen_ai.response.id', 'r-1')] };
  for (const requests of permutations<Request>([
    { spans: [answered] },
    { logs: [score] },
    { logs: legacyLogs() },
  ]))
    expect(assembled(requests).evaluations).toMatchObject([
      { name: 'relevance', value: 0.75, turnId: `${ids.traceId}-${ids.spanId}` },
    ]);
});

describe('other records', () => {
  const read = (log: OtlpLog) =>
    readLogSegments('p', { body: logsOf('json', [log]), format: 'json' });

  test.each<[string, OtlpLog]>([
    ['a log line', { ...ids, body: { stringValue: 'listening on 4318' }, attributes: [] }],
    ['an event of another program', { ...ids, eventName: 'http.request', attributes: [] }],
    ['a text that starts like an event', { body: { stringValue: 'gen_ai. is a prefix' } }],
    [
      'a span event of the agent that is no content',
      { eventName: 'claude_code.auth', attributes: [] },
    ],
  ])('%s is accepted and not stored', (_what, log) => {
    expect(read(log)).toMatchObject({ count: 1, segments: [], rejected: [], unread: new Map() });
  });

  test.each<[string, OtlpLog, RegExp]>([
    ['no ids', { eventName: 'gen_ai.choice' }, /^gen_ai\.choice: .*no traceId/],
    ['no span id', { traceId: ids.traceId, eventName: 'gen_ai.choice' }, /no spanId/],
    ['no session', { eventName: 'claude_code.user_prompt' }, /neither a traceId nor/],
    ['no conversation', { eventName: 'codex.user_prompt' }, /neither a traceId nor/],
  ])('content without a trace or span is rejected: %s', (_what, log, reason) => {
    expect(read(log)).toMatchObject({
      segments: [],
      rejected: [{ code: 'no_span', message: expect.stringMatching(reason) }],
    });
  });

  test.each(['gen_ai.client.operation.exception', 'claude_code.api_request_body'])(
    'an event that is not read is counted: %s',
    (eventName) => {
      expect(read({ ...ids, eventName }).unread).toEqual(new Map([[eventName, 1]]));
    },
  );

  test('events without text are noted on the page of the trace', () => {
    const empty = legacyLogs().map((log) => ({ ...log, body: map(text('role', 'user')) }));
    const [note] = assembled([{ spans: [chat] }, { logs: empty }]).notes;
    expect(note?.reason).toMatch(/^content capture is off: its events contain no text/);
    const [other] = assembled([{ spans: [chat] }]).notes;
    expect(other?.reason).toMatch(/OTEL_EXPORTER_OTLP_LOGS_ENDPOINT/);
  });
});

test('events beyond the limit of a span are kept', () => {
  const many = Array.from(
    { length: intakeLimits.eventsPerSpan + 5 },
    (_, n): OtlpLog => ({
      ...ids,
      timeUnixNano: nsAfter(n),
      eventName: 'gen_ai.user.message',
      body: map(text('content', `message ${n}`)),
    }),
  );
  const [span] = mergeSpans(spansOf([{ logs: many }, { spans: [chat] }], 'json')).spans;
  expect(span?.events).toHaveLength(many.length);
  expect(span?.flags).toEqual([]);
});

test('NUL and lone surrogates are cleaned and flagged; the neighbours are as sent', () => {
  const odd = Buffer.from(
    JSON.stringify({ ...details([input]), body: map(text('note', 'x')) }).replace(
      '"x"',
      '"a\\u0000b\\ud800"',
    ),
  );
  const body = logsOf('json', [odd, { ...legacyLogs()[0], spanId: spanIdOf(2) }]);
  const { segments } = readLogSegments('p', { body, format: 'json' });
  const spans = segments.flatMap((segment) => decodeSegment('json', segment.body));
  expect(spans.map(({ flags }) => flags)).toEqual([['cleaned'], []]);
});

test('a large resource that many traces repeat is too large', () => {
  const resource = [text('blob', 'x'.repeat(intakeLimits.repeatedBytes / 4))];
  const logs = Array.from({ length: 5 }, (_, n) => ({
    ...legacyLogs()[1],
    traceId: traceIdOf(`t${n}`),
  }));
  const body = logsOf('json', logs, resource);
  expect(() => readLogSegments('p', { body, format: 'json' })).toThrowError(
    expect.objectContaining({ code: 'too_large' }),
  );
});
