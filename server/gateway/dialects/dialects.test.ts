import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { processorMsSince } from '../../../testing/processor-time';
import { dialectOf, readChunks } from './dialects';
import { dialectOfPath } from './paths';

test.each([
  ['POST', '/chat/completions', 'chat'],
  ['POST', '/responses', 'responses'],
  ['POST', '/messages', 'messages'],
  ['GET', '/responses', null],
  ['POST', '/responses/resp_1', null],
  ['POST', '/messages/count_tokens', null],
  ['POST', '/embeddings', 'embeddings'],
  ['POST', '/models/m:generatecontent', 'gemini'],
  ['POST', '/tunedmodels/a/b:streamgeneratecontent', 'gemini'],
  ['POST', '/models/m:batchembedcontents', 'embeddings'],
  ['POST', '/models/m:counttokens', null],
  ['GET', '/models/m:generatecontent', null],
  ['POST', '/api/chat', 'ollama'],
  ['POST', '/api/embed', 'embeddings'],
  ['POST', '/api/generate', null],
  ['post', '/messages', null],
])('%s %s is of %s', (method, path, name) => {
  expect(dialectOfPath(method, path)).toBe(name);
});

const words = 'Grüße 😀, it is 91.4 % — "quoted" \\ and \u2028 more.';
const pieces = words.split(/(?<=[ ,])/u);

/**
 * One stream of each API with all that real ones have: comments, CRLF, several lines, characters of
 * several bytes.
 */
const streams = {
  chat: [
    ': keep-alive\n\n',
    ...pieces.map(
      (content, i) =>
        `data: ${JSON.stringify({ model: 'm', choices: [{ index: 0, delta: { content } }] })}${i % 2 === 0 ? '\n\n' : '\r\n\r\n'}`,
    ),
    'data:{"choices":[{"index":0,\ndata: "delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":"{\\"é\\""}}]}}]}\n\n',
    'data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":"stop"}]}\r\r',
    'data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}\n',
    'data: [DONE]',
  ].join(''),
  responses: [
    ...pieces.map(
      (delta) =>
        `event: response.output_text.delta\r\ndata: ${JSON.stringify({ type: 'response.output_text.delta', delta })}\r\n\r\n`,
    ),
    ':\n',
    `event: response.completed\ndata: ${JSON.stringify({ type: 'response.completed', response: { model: 'm', output: [{ type: 'function_call', call_id: 'c', name: 'é', arguments: '{}' }], usage: { input_tokens: 3 } } })}\n\n`,
  ].join(''),
  messages: [
    '\ufeffevent: message_start\ndata: {"type":"message_start","message":{"model":"m","usage":{"input_tokens":4}}}\n\n',
    'event: ping\ndata: {"type": "ping"}\n\n',
    ...pieces.map(
      (text) =>
        `event: content_block_delta\rdata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })}\r\r`,
    ),
    'event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"c","name":"f","input":{}}}\n\n',
    'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"ü\\":1}"}}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  ].join(''),
  gemini: [
    ': keep-alive\n\n',
    ...pieces.map((text, i) => {
      const parts = i === 2 ? [{ text: 'Hm.', thought: true }, { text }] : [{ text }];
      const piece = { candidates: [{ content: { role: 'model', parts } }], modelVersion: 'm' };
      return `data: ${JSON.stringify(piece)}${i % 2 === 0 ? '\n\n' : '\r\n\r\n'}`;
    }),
    'data: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {"é": 1}}}]},\ndata: "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "thoughtsTokenCount": 3}}\r\n\r\n',
  ].join(''),
  ollama: [
    ...pieces.map(
      (content, i) =>
        `${i === 1 ? '\r\n\n' : ''}${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, done: false })}${i % 2 === 0 ? '\n' : '\r\n'}`,
    ),
    'not JSON\n',
    '{"model":"m","message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"é":1.50}}}]},"done":false}\n',
    '  {"model":"m","done":true,"prompt_eval_count":1,"eval_count":2}',
  ].join(''),
};
const names = ['chat', 'responses', 'messages', 'gemini', 'ollama'] as const;

describe.each(names)('%s', (name) => {
  const dialect = dialectOf(name);
  const stream = Buffer.from(streams[name]);
  const whole = dialect.createReader();
  whole.push(stream);
  const expected = whole.read();

  test('a complete stream is read', () => {
    expect(dialect.name).toBe(name);
    expect(expected).toMatchObject({ text: words, model: 'm', complete: true });
    expect(expected.toolCalls).toHaveLength(1);
    expect(whole.textBytes).toBe(Buffer.byteLength(words));
    expect(String(stream.subarray(whole.lastEventAt ?? 0))).toMatch(
      /^(data: \[DONE]|event: message_stop|event: response.completed|data: .*functionCall|  \{"model":"m","done":true)/,
    );
  });

  test('QV-17 QV-19 a stream reads the same with any chunk boundaries', () => {
    const cuts = fc.array(fc.integer({ min: 0, max: stream.length }), { maxLength: 40 });
    fc.assert(
      fc.property(cuts, fc.boolean(), (at, askBetween) => {
        const reader = dialect.createReader();
        const places = [0, ...at.toSorted((a, b) => a - b), stream.length];
        for (const [i, place] of places.entries()) {
          reader.push(stream.subarray(places[i - 1] ?? 0, place));
          if (askBetween) reader.read();
        }
        expect(reader.read()).toEqual(expected);
        expect([reader.textBytes, reader.lastEventAt, reader.callsTool]).toEqual([
          whole.textBytes,
          whole.lastEventAt,
          whole.callsTool,
        ]);
      }),
      { numRuns: caseCount(2000), seed: 8 },
    );
  }, 60_000);

  test('one byte at a time', () => {
    expect(
      readChunks(
        dialect,
        Array.from({ length: stream.length }, (_, i) => stream.subarray(i, i + 1)),
        dialect.streamForm,
      ),
    ).toEqual(expected);
  });
});

const list = {
  chat: 'messages',
  responses: 'input',
  messages: 'messages',
  gemini: 'contents',
  ollama: 'messages',
};
const MIB = 1_048_576;
const isLong = process.env.ASSAY_LONG === '1';
/** The limit of a body in the long form. */
const largeMib = isLong ? 20 : 2;
const usual = isLong ? MIB : MIB / 2;
const entriesOf = (name: keyof typeof list, count: number): Buffer =>
  Buffer.from(
    `{"${list[name]}":[${'{"role":"function"},'.repeat(count)}{}],"choices":[],"output":[],"content":[],"candidates":[]}`,
  );
const hostile: [string, (name: keyof typeof list) => Buffer][] = [
  [`${largeMib} MiB of brackets`, () => Buffer.alloc(largeMib * MIB, '[')],
  [
    'brackets in the list',
    (name) => Buffer.from(`{"${list[name]}":${'['.repeat(usual)}${']'.repeat(usual)}}`),
  ],
  ['quotes', () => Buffer.alloc(usual, '"')],
  ['backslashes', (name) => Buffer.from(`{"${list[name]}":"${'\\'.repeat(usual)}"}`)],
  ['line ends', () => Buffer.alloc(usual, '\r\n')],
  ['empty data lines', () => Buffer.alloc(usual, 'data:\n')],
  ['open data lines', () => Buffer.alloc(usual, 'data:{\n')],
  ['entries', (name) => entriesOf(name, usual / 26)],
  [
    'escaped quotes',
    (name) =>
      Buffer.from(`{"${list[name]}":[{"role":"user","content":"${'a\\"'.repeat(usual / 4)}"}]}`),
  ],
  [
    `a line of ${largeMib} MiB`,
    () => Buffer.from(`data: {"choices":[{"delta":{"content":"${'x'.repeat(largeMib * MIB)}"}}]}`),
  ],
  [
    'noise',
    () =>
      Buffer.from(Array.from({ length: usual }, (_, i) => (i * 7919 + (i >> 8) * 104_729) & 0xff)),
  ],
  [
    'names of prototypes',
    (name) =>
      Buffer.from(
        `{"__proto__":{"model":"x"},"constructor":1,"${list[name]}":[{"__proto__":[]},null,1,"x",[]],"choices":[null],"output":[null],"content":[null,1],"candidates":[null,{"content":{"parts":[null,1,{"functionCall":1}]}}],"message":{"tool_calls":[null,{"function":1}]}}`,
      ),
  ],
  [
    'NUL and halves',
    (name) =>
      Buffer.from(
        `{"model":"\\u0000\\ud800","${list[name]}":[{"role":"user","content":"\\udc00"}],"choices":[{"message":{"content":"\\ud800"}}]}`,
      ),
  ],
  [
    'names twice',
    (name) =>
      Buffer.from(
        `{"${list[name]}":[],"${list[name]}":[],"${list[name]}":3,"choices":1,"choices":[{}],"model":1,"model":"b"}`,
      ),
  ],
];

/** Processor milliseconds that all functions of a dialect take for a body. */
function measure(dialect: ReturnType<typeof dialectOf>, body: Buffer): number {
  const startedAt = process.cpuUsage();
  dialect.hintsOf(body);
  dialect.readRequest(body);
  for (const form of ['json', dialect.streamForm] as const) {
    const read = readChunks(dialect, [body.subarray(0, 1000), body.subarray(1000)], form);
    if (read !== null) dialect.withText({ chunks: [body], form, read }, 'x');
  }
  dialect.withSteering(body, '\ud800\u0000');
  dialect.withRule(body, 'rule', {}, 'forced_tool');
  dialect.withCorrection(body, 'a', 'b');
  return processorMsSince(startedAt);
}

describe.each(names)('%s handles hostile input without throwing, in linear time', (name) => {
  const dialect = dialectOf(name);
  test.each(hostile)(
    '%s',
    (_, make) => {
      // Each takes well under a second alone; a quadratic algorithm would take minutes.
      expect(measure(dialect, make(name))).toBeLessThan(30_000);
    },
    120_000,
  );

  test('four times the entries take about four times as long', () => {
    const small = entriesOf(name, usual / 26);
    const large = entriesOf(name, (4 * usual) / 26);
    measure(dialect, small);
    const once = Math.min(...Array.from({ length: 3 }, () => measure(dialect, small)));
    const fourTimes = Math.min(measure(dialect, large), measure(dialect, large));
    expect(fourTimes / once).toBeLessThan(12);
  }, 120_000);
});

test('of duplicate names the last one counts and is changed', () => {
  const steered = dialectOf('chat').withSteering(
    Buffer.from('{"messages":[1],"messages":[]}'),
    'x',
  );
  expect(String(steered)).toBe('{"messages":[1],"messages":[{"role":"system","content":"x"}]}');
});
