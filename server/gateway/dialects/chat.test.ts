import { describe, expect, test } from 'vitest';
import type { BufferedAnswer } from '../exchange';
import { chat } from './chat';
import { readChunks } from './dialects';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const frames = (...events: unknown[]) =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
const DONE = Buffer.from('data: [DONE]\n\n');

const head = {
  id: 'chatcmpl-7',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'gpt-4o-2024-08-06',
};
const chunk = (delta: object, finish: string | null = null, more: object = {}) => ({
  ...head,
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
});
const usage = {
  ...head,
  choices: [],
  usage: { prompt_tokens: 19, completion_tokens: 7, total_tokens: 26 },
};

function buffered(stream: Buffer): BufferedAnswer {
  const read = readChunks(chat, [stream], 'sse');
  if (read === null) throw new Error('reads');
  return { chunks: [stream], form: 'sse', read };
}

const roleChunk = chunk({ role: 'assistant', content: '' });
const spoken = Buffer.concat([
  frames(
    roleChunk,
    chunk({ content: 'It is ' }),
    chunk({ content: '91 %.' }),
    chunk({}, 'stop'),
    usage,
  ),
  DONE,
]);

describe('requests', () => {
  test('QV-22 calls and results are text; tools of this turn are those since the last user message', () => {
    const read = chat.readRequest(
      json({
        model: 'gpt-4o',
        stream: true,
        n: 2,
        messages: [
          { role: 'developer', content: 'Be short.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'How full?' },
              { type: 'image_url', image_url: { url: 'data:,' } },
            ],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'call_0', type: 'function', function: { name: 'old', arguments: '{}' } },
            ],
          },
          { role: 'user', content: 'Well?' },
          {
            role: 'assistant',
            content: 'Wait.',
            tool_calls: [
              {
                id: 'call_1',
                type: 'function',
                function: { name: 'disk', arguments: '{"host":"a", "n":1.50}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'call_1', content: '{"disk_pct": 91.40}' },
          { role: 'tool', tool_call_id: 'call_0', content: 'late' },
        ],
      }),
    );
    expect(read).toEqual({
      model: 'gpt-4o',
      stream: true,
      choices: 2,
      offersTools: false,
      asksShape: false,
      documents: [],
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'How full?\n[image_url]' },
        { role: 'assistant', content: '[tool call old call_0] {}' },
        { role: 'user', content: 'Well?' },
        { role: 'assistant', content: 'Wait.\n[tool call disk call_1] {"host":"a", "n":1.50}' },
        { role: 'tool', content: '[tool result call_1] {"disk_pct": 91.40}' },
        { role: 'tool', content: '[tool result call_0] late' },
      ],
      tools: [
        {
          id: 'call_1',
          name: 'disk',
          arguments: '{"host":"a", "n":1.50}',
          result: '{"disk_pct": 91.40}',
        },
        { id: 'call_0', name: 'old', arguments: '{}', result: 'late' },
      ],
    });
  });

  test('a function of older clients is found by its name', () => {
    const messages = [
      { role: 'user', content: 'Go' },
      { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"a":1}' } },
      { role: 'function', name: 'look', content: '12' },
    ];
    const tools = chat.readRequest(json({ messages, functions: [{ name: 'look' }] }));
    expect(tools).toMatchObject({
      offersTools: true,
      tools: [{ id: '', name: 'look', arguments: '{"a":1}', result: '12' }],
    });
  });

  test.each([
    ['no JSON', '{"messages": ['],
    ['no object', '[]'],
    ['no messages', '{"model":"x"}'],
    ['messages are a string', '{"messages":"x"}'],
  ])('%s is not a request and stays unchanged', (_, text) => {
    const body = Buffer.from(text);
    expect(chat.readRequest(body)).toBeNull();
    expect(chat.withSteering(body, 'note')).toBeNull();
    expect(chat.withRule(body, 'rule', null, 'none')).toBeNull();
    expect(chat.withCorrection(body, 'a', 'c')).toBeNull();
  });

  const odd =
    '{ "seed":12345678901234567890, "z":1.50e1, "messages" : [ {"role":"user","content":"é \\ud83d"} ] , "stream":true }';

  test('QV-26 QV-27 the steering message is the last system message; digits, order, spaces and mode stay', () => {
    const steered = chat.withSteering(Buffer.from(odd), 'Look "again".\n');
    expect(steered?.toString()).toBe(
      odd.replace('} ]', '},{"role":"system","content":"Look \\"again\\".\\n"} ]'),
    );
  });

  test('QV-27 invalid UTF-8 stays unchanged', () => {
    const body = Buffer.concat([
      Buffer.from('{"messages":[{"role":"user","content":"'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('"}],"n":1}'),
    ]);
    expect(chat.withSteering(body, 'x')?.includes(Buffer.from([0x22, 0xff, 0xc3, 0x22]))).toBe(
      true,
    );
  });

  test('INT-7 a correction follows the answer it is about', () => {
    const body = json({ messages: [{ role: 'user', content: 'a' }], n: 1 });
    expect(JSON.parse(String(chat.withCorrection(body, 'It is 3.', 'Cite 3.')))).toEqual({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'It is 3.' },
        { role: 'user', content: 'Cite 3.' },
      ],
      n: 1,
    });
    expect(JSON.parse(String(chat.withCorrection(json({ messages: [] }), '', 'Cite.')))).toEqual({
      messages: [{ role: 'user', content: 'Cite.' }],
    });
  });

  const open = { type: 'object', properties: {} };
  const closed = { ...open, additionalProperties: false };
  const rule = { role: 'system', content: 'rule' };
  test.each([
    [
      'INT-17 json_schema',
      { messages: [] },
      open,
      'json_schema',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'deliver_answer', schema: open, strict: false },
        },
      },
    ],
    [
      'INT-17 a closed schema is strict',
      { messages: [] },
      closed,
      'json_schema',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'deliver_answer', schema: closed, strict: true },
        },
      },
    ],
    [
      'INT-17 Ollama',
      { messages: [] },
      open,
      'json_best_effort',
      { format: 'json', response_format: { type: 'json_object' } },
    ],
    ['INT-17 without support', { messages: [] }, open, 'none', {}],
    ['no schema', { messages: [] }, null, 'json_schema', {}],
    [
      'plain text is no shape',
      { response_format: { type: 'text' }, messages: [] },
      open,
      'json_best_effort',
      { format: 'json', response_format: { type: 'json_object' } },
    ],
  ] as const)('the rule comes first; %s', (_, body, schema, shape, rest) => {
    expect(JSON.parse(String(chat.withRule(json(body), 'rule', schema, shape)))).toEqual({
      messages: [rule],
      ...rest,
    });
  });

  test.each([
    ['tools are offered', { messages: [], tools: [{}] }],
    ['functions are offered', { messages: [], functions: [{}] }],
    ['a shape is asked for', { messages: [], response_format: { type: 'json_object' } }],
    ['two choices are asked for', { messages: [], n: 2 }],
    [
      'more than 5,000 messages',
      { messages: Array.from({ length: 5001 }, () => ({ role: 'user', content: '' })) },
    ],
  ])('INT-17 no rule is added if %s', (_, body) => {
    expect(chat.withRule(json(body), 'rule', open, 'json_schema')).toBeNull();
  });

  test('the rule precedes the messages of the request', () => {
    const changed = chat.withRule(
      json({ messages: [{ role: 'system', content: 'own' }] }),
      'rule',
      null,
      'none',
    );
    expect(JSON.parse(String(changed))).toEqual({
      messages: [rule, { role: 'system', content: 'own' }],
    });
  });
});

describe('answers', () => {
  const message = (more: object) => ({ role: 'assistant', ...more });
  const body = (more: object, rest: object = {}) =>
    json({
      id: 'c',
      model: 'm-1',
      choices: [{ index: 0, message: message(more), finish_reason: 'stop' }],
      ...rest,
    });
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'disk', arguments: '{"n": 1.50}' },
  };
  test.each([
    [
      'text',
      body({ content: 'Hi' }),
      { text: 'Hi', toolCalls: [], model: 'm-1', complete: true, choices: 1, inputTokens: null },
    ],
    [
      'parts',
      body({
        content: [
          { type: 'text', text: 'a' },
          { type: 'thinking', thinking: 'x' },
          { type: 'text', text: 'b' },
        ],
      }),
      { text: 'ab' },
    ],
    ['a refusal', body({ content: null, refusal: 'No.' }), { text: 'No.' }],
    [
      'tool calls',
      body({ content: null, tool_calls: [call] }),
      { text: '', toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"n": 1.50}' }] },
    ],
    [
      'function_call',
      body({ content: null, function_call: { name: 'f', arguments: '{}' } }),
      { toolCalls: [{ id: '', name: 'f', arguments: '{}' }] },
    ],
    [
      'usage',
      body({ content: 'x' }, { usage: { prompt_tokens: 3, completion_tokens: 4 } }),
      { inputTokens: 3, outputTokens: 4 },
    ],
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body({ content: 'x' })]),
      { text: 'x' },
    ],
    [
      'two choices',
      json({
        choices: [{ message: message({ content: 'a' }) }, { message: message({ content: 'b' }) }],
      }),
      { text: 'a', choices: 2 },
    ],
    ['no choices', json({ choices: [] }), { text: '', complete: false }],
  ])('QV-19 a JSON body: %s', (_, bytes, expected) => {
    expect(chat.readAnswer(bytes)).toMatchObject(expected);
  });

  test.each(['', 'Hello', '{"error":{"message":"no"}}', '[1]', '{"choices":{}}'])(
    'no answer: %s',
    (text) => {
      expect(chat.readAnswer(Buffer.from(text))).toBeNull();
    },
  );

  const tool = (index: number | undefined, more: object) =>
    chunk({ tool_calls: [{ index, ...more }] });
  const calls = frames(
    roleChunk,
    tool(0, { id: 'call_1', type: 'function', function: { name: 'disk', arguments: '' } }),
    tool(0, { function: { arguments: '{"n"' } }),
    tool(0, { function: { arguments: ': 1.50}' } }),
    tool(1, { id: 'call_2', function: { name: 'cpu', arguments: '{}' } }),
    chunk({}, 'tool_calls'),
  );
  test.each([
    [
      'text, usage and [DONE]',
      spoken,
      {
        text: 'It is 91 %.',
        inputTokens: 19,
        outputTokens: 7,
        model: head.model,
        complete: true,
        choices: 1,
      },
      11,
    ],
    [
      'without [DONE]',
      frames(roleChunk, chunk({ content: 'a' }), chunk({}, 'stop')),
      { text: 'a', complete: true },
      1,
    ],
    ['cut short', frames(roleChunk, chunk({ content: 'a' })), { text: 'a', complete: false }, 1],
    [
      'keep-alives and comments are no text',
      Buffer.concat([Buffer.from(': keep-alive\n\n:\n\nevent: ping\n\nretry: 3\n\n'), spoken]),
      { text: 'It is 91 %.', complete: true },
      11,
    ],
    [
      'no blank after the colon, CRLF',
      Buffer.from(spoken.toString().replaceAll('data: ', 'data:').replaceAll('\n', '\r\n')),
      { text: 'It is 91 %.', complete: true },
      11,
    ],
    [
      'CR alone',
      Buffer.from(spoken.toString().replaceAll('\n', '\r')),
      { text: 'It is 91 %.', complete: true },
      11,
    ],
    [
      'a byte order mark',
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), spoken]),
      { text: 'It is 91 %.' },
      11,
    ],
    [
      'no blank lines',
      Buffer.from(spoken.toString().replaceAll('\n\n', '\n')),
      { text: 'It is 91 %.', complete: true },
      11,
    ],
    [
      'no end of the last line',
      spoken.subarray(0, -2),
      { text: 'It is 91 %.', complete: true },
      11,
    ],
    [
      'JSON of several lines',
      Buffer.from(
        `data: ${JSON.stringify(chunk({ content: 'x' }), null, 1).replaceAll('\n', '\ndata: ')}\n\n`,
      ),
      { text: 'x' },
      1,
    ],
    [
      'a line that is no JSON',
      Buffer.concat([Buffer.from('data: oops\n\n'), spoken]),
      { text: 'It is 91 %.' },
      11,
    ],
    [
      'a tool-call-only stream has no text',
      calls,
      {
        text: '',
        toolCalls: [
          { id: 'call_1', name: 'disk', arguments: '{"n": 1.50}' },
          { id: 'call_2', name: 'cpu', arguments: '{}' },
        ],
        complete: true,
      },
      0,
    ],
    [
      'calls without an index',
      frames(
        tool(undefined, { id: 'a', function: { name: 'f', arguments: '{' } }),
        tool(undefined, { function: { arguments: '}' } }),
      ),
      { toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
      0,
    ],
    [
      'reasoning is no text',
      frames(chunk({ reasoning_content: 'hm', content: null }), chunk({ content: 'a' })),
      { text: 'a' },
      1,
    ],
    [
      'a refusal',
      frames(chunk({ refusal: 'N' }), chunk({ refusal: 'o' }, 'stop')),
      { text: 'No', complete: true },
      2,
    ],
    [
      'two choices',
      frames(chunk({ content: 'a' }, 'stop'), {
        ...head,
        choices: [{ index: 1, delta: { content: 'b' }, finish_reason: null }],
      }),
      { text: 'a', choices: 2, complete: false },
      1,
    ],
    ['nothing at all', Buffer.alloc(0), { text: '', complete: false, choices: 0 }, 0],
  ] as const)('QV-19 a stream: %s', (_, stream, expected, bytes) => {
    const reader = chat.createReader();
    reader.push(stream);
    expect(reader.read()).toMatchObject(expected);
    expect(reader.textBytes).toBe(bytes);
    expect(reader.callsTool).toBe('toolCalls' in expected);
  });

  test.each([
    ['é', 2],
    ['€', 3],
    ['😀', 4],
    ['\ud83d', 3],
  ])('QV-17 %s counts %d bytes', (text, bytes) => {
    const reader = chat.createReader();
    reader.push(frames(chunk({ content: text })));
    expect(reader.textBytes).toBe(bytes);
  });

  test('QV-17 a character split across two chunks counts 4 bytes', () => {
    const reader = chat.createReader();
    reader.push(frames(chunk({ content: 'a\ud83d' }), chunk({ content: '\ude00b' })));
    expect([reader.textBytes, reader.read().text]).toEqual([6, 'a😀b']);
  });

  test.each([
    ['an object', { error: { message: 'overloaded' } }],
    ['a word', { error: 'overloaded' }],
  ])('QV-36 an error in a stream is a failure: %s', (_, error) => {
    const reader = chat.createReader();
    reader.push(frames(chunk({ content: 'a' }), error));
    reader.push(DONE);
    expect([reader.failed, reader.read().complete]).toEqual([true, false]);
  });

  test('lastEventAt is the offset of [DONE], also after a comment in its event', () => {
    const reader = chat.createReader();
    reader.push(spoken.subarray(0, 100));
    expect(reader.lastEventAt).toBeNull();
    reader.push(spoken.subarray(100));
    expect(reader.lastEventAt).toBe(spoken.length - DONE.length);
    const commented = chat.createReader();
    commented.push(Buffer.from(': hm\ndata: [DONE]\n\n'));
    expect(commented.lastEventAt).toBe(5);
  });
});

describe('withText', () => {
  test('a stream keeps its first chunk, end, ids and usage, and has the text once', () => {
    const changed = chat.withText(buffered(spoken), 'It is 92 %. "Yes"');
    const expected = Buffer.concat([
      frames(roleChunk, chunk({ content: 'It is 92 %. "Yes"' }), chunk({}, 'stop'), usage),
      DONE,
    ]);
    expect(Buffer.concat(changed?.chunks ?? []).toString()).toBe(expected.toString());
    expect(changed?.read).toMatchObject({ text: 'It is 92 %. "Yes"', outputTokens: 7 });
    expect(readChunks(chat, changed?.chunks ?? [], 'sse')).toEqual(changed?.read);
  });

  test.each([
    [
      'CRLF and a comment',
      Buffer.from(`: hi\r\n\r\n${spoken.toString().replaceAll('\n', '\r\n')}`),
    ],
    ['no blank lines', Buffer.from(spoken.toString().replaceAll('\n\n', '\n'))],
    ['no end of the last line', spoken.subarray(0, -2)],
    [
      'text in the last chunk',
      Buffer.concat([
        frames(roleChunk, chunk({ content: 'a' }), chunk({ content: 'b' }, 'stop'), usage),
        DONE,
      ]),
    ],
    [
      'probabilities',
      frames(
        roleChunk,
        chunk({ content: 'a' }, null, { logprobs: { content: [{ token: 'a' }] } }),
        chunk({}, 'stop'),
      ),
    ],
    [
      'JSON of several lines',
      Buffer.from(
        `data: ${JSON.stringify(chunk({ content: 'x' }, 'stop'), null, 1).replaceAll('\n', '\ndata: ')}\n\n`,
      ),
    ],
    [
      'text and a tool call',
      frames(
        chunk({ content: 'a' }),
        chunk({
          content: 'b',
          tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{}' } }],
        }),
      ),
    ],
  ])('a rewritten stream reads the same except for the text: %s', (_, stream) => {
    const before = buffered(stream);
    const changed = chat.withText(before, 'other 😀');
    expect(readChunks(chat, changed?.chunks ?? [], 'sse')).toEqual({
      ...before.read,
      text: 'other 😀',
    });
    expect(String(changed?.chunks[0])).not.toContain('"token"');
  });

  test('a JSON body keeps digits, order and everything else', () => {
    const text =
      '{"id":"c","big":12345678901234567890,"choices":[{"index":0,"message":{"role":"assistant","content":"é 1"},"logprobs":{"content":[]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1}}';
    const bytes = Buffer.from(text);
    const read = chat.readAnswer(bytes);
    if (read === null) throw new Error('reads');
    const changed = chat.withText(
      { chunks: [bytes.subarray(0, 90), bytes.subarray(90)], form: 'json', read },
      '⚠️',
    );
    expect(String(changed?.chunks[0])).toBe(
      text.replace('é 1', '⚠️').replace('{"content":[]}', 'null'),
    );
  });

  test.each([
    [
      'several choices',
      frames(chunk({ content: 'a' }), {
        ...head,
        choices: [{ index: 1, delta: { content: 'b' } }],
      }),
    ],
    [
      'tool calls alone',
      frames(
        chunk({ tool_calls: [{ index: 0, id: 'x', function: { name: 'f', arguments: '' } }] }),
      ),
    ],
    ['a refusal', frames(chunk({ refusal: 'No' }))],
  ])('null: %s', (_, stream) => {
    expect(chat.withText(buffered(stream), 'x')).toBeNull();
  });
});

test('errors have the format of the API', () => {
  const error = {
    message: 'body is longer than 20 MiB',
    type: 'invalid_request_error',
    param: null,
    code: 'too_large',
  };
  expect(JSON.parse(String(chat.errorBody(413, 'too_large', error.message)))).toEqual({ error });
  expect(String(chat.errorEvent(503, 'circuit_open', 'x'))).toBe(
    'data: {"error":{"message":"x","type":"server_error","param":null,"code":"circuit_open"}}\n\n',
  );
  const reader = chat.createReader();
  reader.push(chat.errorEvent(503, 'error', 'x'));
  expect(reader.failed).toBe(true);
});
