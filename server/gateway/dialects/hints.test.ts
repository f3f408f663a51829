import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMsSince } from '../../../testing/processor-time';
import { hintsOfChat, hintsOfMessages, hintsOfResponses } from './hints';

const long = 'He said "stream":true, \\ and "role":"tool", then {"model":"x"} ]} '.repeat(80);
const trap = {
  model: 'no',
  stream: true,
  user: 'no',
  messages: [{ role: 'tool' }],
  tools: [{ role: 'user' }],
  metadata: { session_id: 'no' },
};
const user = { role: 'user', content: long };
const asked = {
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(trap) } },
  ],
};
const toolResult = { role: 'tool', tool_call_id: 'c', content: long };
const nothing = { model: null, stream: false, session: null, toolFollowup: false };
const tools = Array.from({ length: 40 }, () => ({
  type: 'function',
  function: { name: 'f', parameters: { type: 'object', properties: trap } },
}));
const text = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('QV-5 a tool follow-up ends with a tool result after the last user message', () => {
  test.each([
    ['the user spoke', [user], false],
    ['a tool answered', [user, asked, toolResult], true],
    ['a function answered', [user, { role: 'function', name: 'f', content: '1' }], true],
    ['the user spoke since', [user, asked, toolResult, user], false],
    [
      'the assistant spoke since',
      [user, asked, toolResult, { role: 'assistant', content: 'Hm' }],
      true,
    ],
    ['no message', [], false],
  ])('chat: %s', (_, messages, toolFollowup) => {
    expect(hintsOfChat(text({ model: 'm', messages, stream: true }))).toEqual({
      model: 'm',
      stream: true,
      session: null,
      toolFollowup,
    });
    expect(hintsOfChat(text({ messages, model: 'm', tools })).toolFollowup).toBe(toolFollowup);
  });

  const output = { type: 'function_call_output', call_id: 'c', output: long };
  test.each([
    ['a string', long, false],
    ['the user spoke', [user], false],
    [
      'a tool answered',
      [user, { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }, output],
      true,
    ],
    ['the user spoke since', [output, { type: 'message', role: 'user', content: 'x' }], false],
    ['the model thought since', [user, output, { type: 'reasoning', summary: [] }], true],
  ])('responses: %s', (_, input, toolFollowup) => {
    expect(hintsOfResponses(text({ model: 'm', input, tools }))).toEqual({
      model: 'm',
      stream: false,
      session: null,
      toolFollowup,
    });
    expect(hintsOfResponses(text({ input, stream: true })).toolFollowup).toBe(toolFollowup);
  });

  const use = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't', name: 'f', input: { ...trap, filler: long } }],
  };
  const result = {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 't', content: long },
      { type: 'text', text: 'reminder' },
    ],
  };
  test.each([
    ['the user spoke', [user], false],
    ['a tool answered', [user, use, result], true],
    [
      'the user spoke since',
      [
        user,
        use,
        result,
        { role: 'assistant', content: 'a' },
        { role: 'user', content: [{ type: 'text', text: 'b' }] },
      ],
      false,
    ],
    ['the answer is begun', [user, use, result, { role: 'assistant', content: '{' }], true],
  ])('messages: %s', (_, messages, toolFollowup) => {
    const request = { model: 'm', system: long, messages, tools, metadata: { user_id: 'u_1' } };
    expect(hintsOfMessages(text(request))).toEqual({
      model: 'm',
      stream: false,
      session: 'u_1',
      toolFollowup,
    });
  });
});

test.each([
  ['user', { user: 'a', metadata: { session_id: 'b' } }, 'a'],
  ['metadata.session_id', { metadata: { session_id: 'b' } }, 'b'],
  ['an empty name', { user: '', metadata: { session_id: 'b' } }, 'b'],
  ['no string', { user: 3 }, null],
  ['a name that is too long', { user: 'a'.repeat(1025) }, null],
  ['escapes', { user: 'é\n"' }, 'é\n"'],
])('the session comes from %s', (_, more, session) => {
  expect(hintsOfChat(text({ messages: [], ...more })).session).toBe(session);
  expect(hintsOfChat(text({ messages: [user, user, user], ...more })).session).toBe(session);
});

test.each([
  '',
  '{',
  'null',
  '"x"',
  '[]',
  '{"messages":{"a":1}',
  '{"model":}',
  `{"messages":[${'{'.repeat(5000)}`,
  `${' '.repeat(5000)}}`,
  `{${' '.repeat(5000)}`,
  `"${'\\'.repeat(5000)}`,
])('an invalid request gives no hints: %.20s', (body) => {
  for (const hintsOf of [hintsOfChat, hintsOfResponses, hintsOfMessages])
    expect(hintsOf(Buffer.from(body))).toEqual(nothing);
});

test('hints equal the parsed values for any order, spacing and nesting', () => {
  const content = fc.constantFrom('Hi', long, long.repeat(3), '"', '\\"]}', 'é😀\ud800');
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom('user', 'assistant', 'system', 'tool'), content }),
    fc.record({ content, role: fc.constantFrom('user', 'assistant', 'tool') }),
    fc.constant(asked),
  );
  const members = fc.record(
    {
      messages: fc.array(message, { minLength: 1, maxLength: 8 }),
      model: fc.constantFrom('gpt-4o', 'a/"b"', null),
      stream: fc.constantFrom(true, false, null, 'true'),
      user: fc.constantFrom('u', null, ''),
      metadata: fc.constantFrom({ session_id: 's' }, { user: 'no', session_id: 3 }, null),
      tools: fc.constantFrom([], tools, tools.slice(0, 1), [{ tools: [trap], z: trap }]),
      response_format: fc.constantFrom(
        { type: 'text' },
        { json_schema: { schema: { properties: { ...trap, filler: long } } } },
      ),
      temperature: fc.constantFrom(0.5, -1e-7),
    },
    { requiredKeys: ['messages'] },
  );
  const order = fc.shuffledSubarray(
    ['messages', 'model', 'stream', 'user', 'metadata', 'tools', 'response_format', 'temperature'],
    {
      minLength: 8,
    },
  );
  fc.assert(
    fc.property(
      members,
      order,
      fc.constantFrom(undefined, 1, '\t'),
      fc.boolean(),
      (found, names, indent, spaced) => {
        const request: Record<string, unknown> = {};
        for (const name of names)
          if (name in found) request[name] = found[name as keyof typeof found];
        const pretty = JSON.stringify(request, null, indent);
        const body = spaced && indent !== undefined ? pretty.replaceAll('":', '" :') : pretty;
        const last = found.messages.findLast(({ role }) => role === 'user' || role === 'tool');
        const metadata = found.metadata as { session_id?: unknown } | null | undefined;
        const session =
          (found.user ?? '') ||
          (typeof metadata?.session_id === 'string' ? metadata.session_id : null);
        expect(hintsOfChat(Buffer.from(body))).toEqual({
          model: found.model ?? null,
          stream: found.stream === true,
          session,
          toolFollowup: last?.role === 'tool',
        });
      },
    ),
    { numRuns: 500, seed: 8 },
  );
}, 60_000);

test('tools nested in tools do not count as the end of the messages', () => {
  const nested = [
    {
      type: 'function',
      function: { parameters: { properties: { a: [{ role: 'tool', filler: long }], tools } } },
    },
  ];
  const body = { model: 'm', messages: [user, user], tools: nested, stream: true };
  expect(hintsOfChat(text(body))).toEqual({
    model: 'm',
    stream: true,
    session: null,
    toolFollowup: false,
  });
});

test('QV-5 reading an endless request is bounded in time', () => {
  const entry = '{"role":"assistant","content":"x"},';
  const many = entry.repeat(570_000);
  const bodies = [
    `{"model":"m","messages":[${many}{"role":"assistant","content":"y"}]}`,
    `{"model" : "m","messages" : [${many}{"role":"assistant","content":"y"}]}`,
  ];
  for (const body of bodies.map((each) => Buffer.from(each))) {
    const before = process.cpuUsage();
    expect(hintsOfChat(body)).toEqual({ ...nothing, model: 'm' });
    // It takes some tens of milliseconds without other load.
    expect(processorMsSince(before)).toBeLessThan(5_000);
  }
});

test('QV-5 a large tool result is found unless more than 200 other entries follow', () => {
  const big = { role: 'tool', tool_call_id: 'c', content: long.repeat(100) };
  const other = { role: 'assistant', content: 'Hm' };
  expect(hintsOfChat(text({ model: 'm', messages: [user, asked, big, other] })).toolFollowup).toBe(
    true,
  );
  const others = Array.from({ length: 300 }, () => other);
  expect(
    hintsOfChat(text({ model: 'm', messages: [user, asked, toolResult, ...others] })).toolFollowup,
  ).toBe(false);
  expect(
    hintsOfChat(
      Buffer.from(
        JSON.stringify({ messages: [user, asked, toolResult, ...others] }, null, 1).replaceAll(
          '":',
          '" :',
        ),
      ),
    ),
  ).toEqual(nothing);
});
