import { describe, expect, test } from 'vitest';
import type { BufferedAnswer } from '../exchange';
import { readChunks } from './dialects';
import { messages } from './messages';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
type Event = { readonly type: string };
const frames = (...events: Event[]) =>
  Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );

const start = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    usage: { input_tokens: 9, cache_read_input_tokens: 10, output_tokens: 1 },
  },
};
const begin = (index: number, block: object) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const grow = (index: number, delta: object) => ({ type: 'content_block_delta', index, delta });
const end = (index: number) => ({ type: 'content_block_stop', index });
const text = (index: number, ...pieces: string[]) => [
  begin(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => grow(index, { type: 'text_delta', text: piece })),
  end(index),
];
const tool = (index: number, name: string, ...pieces: string[]) => [
  begin(index, { type: 'tool_use', id: 'toolu_1', name, input: {} }),
  ...pieces.map((piece) => grow(index, { type: 'input_json_delta', partial_json: piece })),
  end(index),
];
const closing = (reason: string) => [
  {
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 7 },
  },
  { type: 'message_stop' },
];
const ping = { type: 'ping' };
const spoken = frames(start, ping, ...text(0, 'It is ', '91 %.'), ...closing('end_turn'));
const envelope = frames(
  start,
  ...tool(0, 'deliver_answer', '', '{"answer": "a', '", "facts": []}'),
  ...closing('tool_use'),
);

function buffered(bytes: Buffer, form: 'sse' | 'json'): BufferedAnswer {
  const read = readChunks(messages, [bytes], form);
  if (read === null) throw new Error('reads');
  return { chunks: [bytes], form, read };
}

describe('requests', () => {
  const request = {
    model: 'claude-x',
    stream: true,
    system: [{ type: 'text', text: 'Be short.' }],
    messages: [
      { role: 'user', content: 'How full?' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'Wait.' },
          { type: 'tool_use', id: 'toolu_1', name: 'disk', input: { host: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'text', text: '{"disk_pct": 91.40}' }],
          },
          { type: 'text', text: 'reminder' },
        ],
      },
    ],
  };

  test('QV-22 blocks; text next to a tool result is no new user message', () => {
    const body = Buffer.from(
      JSON.stringify(request).replace('{"host":"a"}', '{"host":"a", "n":1.50}'),
    );
    expect(messages.readRequest(body)).toEqual({
      model: 'claude-x',
      stream: true,
      choices: 1,
      offersTools: false,
      asksShape: false,
      documents: [],
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'How full?' },
        { role: 'assistant', content: 'Wait.\n[tool call disk toolu_1] {"host":"a", "n":1.50}' },
        { role: 'tool', content: '[tool result toolu_1] {"disk_pct": 91.40}' },
        { role: 'tool', content: 'reminder' },
      ],
      tools: [
        {
          id: 'toolu_1',
          name: 'disk',
          arguments: '{"host":"a", "n":1.50}',
          result: '{"disk_pct": 91.40}',
        },
      ],
    });
  });

  test('results of tools run by the provider are in the answers', () => {
    const found = [{ type: 'web_search_result', title: 't', page_age: '3 days' }];
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: found },
    ];
    const read = messages.readRequest(
      json({
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content },
        ],
      }),
    );
    expect(read?.tools).toEqual([
      { id: 's', name: 'web_search', arguments: '{}', result: JSON.stringify(found) },
    ]);
  });

  const note = { type: 'text', text: 'note' };
  test.each([
    ['no system', '{"messages":[], "n":1.50}', '{"messages":[], "n":1.50,"system":[NOTE]}'],
    [
      'a string',
      '{"system":"Be \\u00e9","messages":[]}',
      '{"system":[{"type":"text","text":"Be \\u00e9"},NOTE],"messages":[]}',
    ],
    ['an empty string', '{"system":"","messages":[]}', '{"system":[NOTE],"messages":[]}'],
    [
      'blocks',
      '{"system":[{"type":"text","text":"a","cache_control":{}} ],"messages":[]}',
      '{"system":[{"type":"text","text":"a","cache_control":{}},NOTE ],"messages":[]}',
    ],
  ])('QV-26 QV-27 the steering message is the last system block: %s', (_, body, expected) => {
    expect(String(messages.withSteering(Buffer.from(body), 'note'))).toBe(
      expected.replace('NOTE', JSON.stringify(note)),
    );
  });

  test.each(['{}', '{"messages":{}}', '[]', 'x'])('no request: %s', (wrong) => {
    const body = Buffer.from(wrong);
    expect([
      messages.readRequest(body),
      messages.withSteering(body, 'n'),
      messages.withRule(body, 'r', null, 'none'),
      messages.withCorrection(body, 'a', 'c'),
    ]).toEqual([null, null, null, null]);
  });

  const schema = { type: 'object' };
  const tools = [
    {
      name: 'deliver_answer',
      description: 'Delivers the whole answer to the user.',
      input_schema: schema,
    },
  ];
  const forced = { tools, tool_choice: { type: 'tool', name: 'deliver_answer' } };
  const system = [{ type: 'text', text: 'rule' }];
  test.each([
    ['INT-17 a tool must be used', { messages: [] }, 'forced_tool', { system, ...forced }],
    [
      'INT-17 thinking is off',
      { messages: [], thinking: { type: 'disabled' } },
      'forced_tool',
      { system, ...forced },
    ],
    [
      'thinking refuses a forced tool',
      { messages: [], thinking: { type: 'enabled', budget_tokens: 9 } },
      'forced_tool',
      { system },
    ],
    [
      'own system',
      { system: 'own', messages: [] },
      'forced_tool',
      { system: [...system, { type: 'text', text: 'own' }], ...forced },
    ],
    ['own blocks', { system: [note], messages: [] }, 'none', { system: [...system, note] }],
    ['another shape', { messages: [] }, 'json_schema', { system }],
  ] as const)('the rule is the first system block: %s', (_, body, shape, rest) => {
    expect(JSON.parse(String(messages.withRule(json(body), 'rule', schema, shape)))).toEqual({
      ...body,
      ...rest,
    });
  });

  test.each([
    ['tools are offered', { messages: [], tools: [{}] }],
    ['a shape is asked for', { messages: [], output_config: { format: { type: 'json_schema' } } }],
    [
      'more than 5,000 messages',
      { messages: Array.from({ length: 5001 }, () => ({ role: 'user', content: '' })) },
    ],
  ])('INT-17 no rule is added if %s', (_, body) => {
    expect(messages.withRule(json(body), 'rule', schema, 'forced_tool')).toBeNull();
  });

  test('INT-7 a correction follows the answer it is about', () => {
    const conversation = [
      { role: 'assistant', content: 'It is 3.' },
      { role: 'user', content: 'Cite 3.' },
    ];
    expect(
      JSON.parse(String(messages.withCorrection(json({ messages: [] }), 'It is 3.', 'Cite 3.'))),
    ).toEqual({ messages: conversation });
    expect(
      JSON.parse(String(messages.withCorrection(json({ messages: [] }), '', 'Cite 3.'))),
    ).toEqual({ messages: conversation.slice(1) });
  });
});

describe('answers', () => {
  const body = (content: object[], more: object = {}) => ({
    id: 'msg_1',
    type: 'message',
    model: 'claude-x',
    content,
    stop_reason: 'end_turn',
    usage: { input_tokens: 19, output_tokens: 7 },
    ...more,
  });
  const textBlock = { type: 'text', text: 'a' };
  const answer = {
    type: 'tool_use',
    id: 't',
    name: 'deliver_answer',
    input: { answer: 'x', n: 1 },
  };
  const disk = { type: 'tool_use', id: 't', name: 'disk', input: {} };

  test.each([
    [
      'text of all blocks',
      [{ type: 'thinking', thinking: 'hm' }, textBlock, { type: 'text', text: 'b' }],
      { text: 'ab', model: 'claude-x', inputTokens: 19, outputTokens: 7, complete: true },
    ],
    [
      'a tool call',
      [textBlock, disk],
      { text: 'a', toolCalls: [{ id: 't', name: 'disk', arguments: '{}' }] },
    ],
    [
      'INT-17 the input of the answer is the text',
      [textBlock, answer],
      { text: '{"answer":"x","n":1}', toolCalls: [] },
    ],
    [
      'the answer beside another call',
      [answer, disk],
      { text: '', toolCalls: [{ name: 'deliver_answer' }, { name: 'disk' }] },
    ],
    ['nothing', [], { text: '', toolCalls: [] }],
  ])('QV-19 a JSON body: %s', (_, content, expected) => {
    expect(messages.readAnswer(json(body(content)))).toMatchObject(expected);
  });

  test.each(['', 'x', '{"type":"error","error":{}}'])('no answer: %s', (wrong) =>
    expect(messages.readAnswer(Buffer.from(wrong))).toBeNull(),
  );

  test.each([
    [
      'text, pings and usage',
      spoken,
      { text: 'It is 91 %.', model: 'claude-x', inputTokens: 19, outputTokens: 7, complete: true },
      11,
      false,
    ],
    ['cut short', frames(start, ...text(0, 'a')), { text: 'a', complete: false }, 1, false],
    [
      'without message_stop',
      frames(start, ...text(0, 'a'), ...closing('end_turn').slice(0, 1)),
      { text: 'a', complete: true },
      1,
      false,
    ],
    [
      'thinking is no text',
      frames(
        begin(0, { type: 'thinking' }),
        grow(0, { type: 'thinking_delta', thinking: 'hm' }),
        ...text(1, 'a'),
      ),
      { text: 'a' },
      1,
      false,
    ],
    [
      'a tool-call-only stream has no text',
      frames(...tool(0, 'disk', '{"n"', ': 1.50}'), ...closing('tool_use')),
      { text: '', toolCalls: [{ id: 'toolu_1', name: 'disk', arguments: '{"n": 1.50}' }] },
      0,
      true,
    ],
    [
      'a call whose input came at once',
      frames(begin(0, { type: 'tool_use', id: 't', name: 'disk', input: { n: 1 } })),
      { toolCalls: [{ id: 't', name: 'disk', arguments: '{"n":1}' }] },
      0,
      true,
    ],
    [
      'INT-17 the input of the answer is the text',
      envelope,
      { text: '{"answer": "a", "facts": []}', toolCalls: [], complete: true },
      28,
      false,
    ],
  ] as const)('QV-19 a stream: %s', (_, stream, expected, bytes, callsTool) => {
    const reader = messages.createReader();
    reader.push(stream);
    expect(reader.read()).toMatchObject(expected);
    expect([reader.textBytes, reader.callsTool, reader.failed]).toEqual([bytes, callsTool, false]);
  });

  test('QV-36 an error event is a failure', () => {
    const reader = messages.createReader();
    reader.push(
      frames(start, ...text(0, 'a'), {
        type: 'error',
        error: { type: 'overloaded_error' },
      } as Event),
    );
    expect([reader.failed, reader.read().complete]).toEqual([true, false]);
  });

  test('lastEventAt is the offset of message_stop', () => {
    const reader = messages.createReader();
    reader.push(spoken);
    expect(reader.lastEventAt).toBe(spoken.indexOf('event: message_stop'));
  });

  test.each([
    ['one block', spoken, frames(start, ping, ...text(0, 'new'), ...closing('end_turn'))],
    [
      'others of text go, and blocks behind move up',
      frames(
        start,
        begin(0, { type: 'thinking' }),
        end(0),
        ...text(1, 'a'),
        ...text(2, 'b', 'c'),
        ...tool(3, 'disk', '{}'),
        ...closing('tool_use'),
      ),
      frames(
        start,
        begin(0, { type: 'thinking' }),
        end(0),
        ...text(1, 'new'),
        ...tool(2, 'disk', '{}'),
        ...closing('tool_use'),
      ),
    ],
    [
      'INT-17 a forced tool becomes text',
      envelope,
      frames(start, ...text(0, 'new'), ...closing('end_turn')),
    ],
    [
      'INT-17 text before a forced tool goes',
      frames(
        start,
        ...text(0, 'Here:'),
        ...tool(1, 'deliver_answer', '{}'),
        ...closing('tool_use'),
      ),
      frames(start, ...text(0, 'new'), ...closing('end_turn')),
    ],
  ])('a stream with another text: %s', (_, before, after) => {
    const changed = messages.withText(buffered(before, 'sse'), 'new');
    expect(String(changed?.chunks[0])).toBe(after.toString());
    expect(readChunks(messages, changed?.chunks ?? [], 'sse')).toEqual(changed?.read);
  });

  test.each([
    [
      'the first block',
      [textBlock, { type: 'text', text: 'b' }, disk],
      'tool_use',
      [{ type: 'text', text: 'new' }, disk],
      'tool_use',
    ],
    [
      'citations stay',
      [{ type: 'text', text: 'é', citations: [] }],
      'end_turn',
      [{ type: 'text', text: 'new', citations: [] }],
      'end_turn',
    ],
    [
      'INT-17 a forced tool',
      [textBlock, answer],
      'tool_use',
      [{ type: 'text', text: 'new' }],
      'end_turn',
    ],
  ])('one body with another text: %s', (_, content, reason, expected, ends) => {
    const changed = messages.withText(
      buffered(json(body(content, { stop_reason: reason })), 'json'),
      'new',
    );
    expect(String(changed?.chunks[0])).toBe(json(body(expected, { stop_reason: ends })).toString());
  });

  test.each([
    ['tool calls alone', buffered(json(body([disk])), 'json')],
    ['a stream of tool calls', buffered(frames(...tool(0, 'disk', '{}')), 'sse')],
    ['an empty block', buffered(frames(...text(0)), 'sse')],
  ])('null: %s', (_, wrong) => expect(messages.withText(wrong, 'x')).toBeNull());
});

test('errors have the format of the API', () => {
  expect(
    JSON.parse(String(messages.errorBody(413, 'too_large', 'body is longer than 20 MiB'))),
  ).toEqual({
    type: 'error',
    error: { type: 'request_too_large', message: 'body is longer than 20 MiB' },
  });
  const reader = messages.createReader();
  reader.push(messages.errorEvent(502, 'error', 'x'));
  expect(reader.failed).toBe(true);
});
