import { describe, expect, test } from 'vitest';
import type { BufferedAnswer } from '../exchange';
import { readChunks } from './dialects';
import { responses } from './responses';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));
type Event = { readonly type: string };
const frames = (...events: Event[]) =>
  Buffer.from(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );

const part = (text: string) => ({ type: 'output_text', text, annotations: [] });
const item = (...texts: string[]) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: texts.map(part),
});
const response = (output: unknown[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-5',
  status: 'completed',
  error: null,
  output,
  ...more,
});
const usage = { usage: { input_tokens: 19, output_tokens: 7, total_tokens: 26 } };
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [] };
const place = { item_id: 'msg_1', output_index: 1, content_index: 0 };
const call = {
  id: 'fc_1',
  type: 'function_call',
  call_id: 'call_1',
  name: 'disk',
  arguments: '{"n": 1.50}',
};

const begin: Event[] = [
  { type: 'response.created', response: response([], { status: 'in_progress' }) } as Event,
  {
    type: 'response.output_item.added',
    output_index: 1,
    item: { ...item(), status: 'in_progress' },
  } as Event,
  { type: 'response.content_part.added', ...place, part: part('') } as Event,
];
const delta = (text: string, more: object = {}) =>
  ({ type: 'response.output_text.delta', ...place, delta: text, logprobs: [], ...more }) as Event;
const ends = (text: string, more: object = {}): Event[] => [
  { type: 'response.output_text.done', ...place, text, logprobs: [], ...more } as Event,
  { type: 'response.content_part.done', ...place, part: part(text) } as Event,
  { type: 'response.output_item.done', output_index: 1, item: item(text) } as Event,
  { type: 'response.completed', response: response([reasoning, item(text)], usage) } as Event,
];
const spoken = frames(...begin, delta('It is '), delta('91 %.'), ...ends('It is 91 %.'));

function buffered(bytes: Buffer, form: 'sse' | 'json'): BufferedAnswer {
  const read = readChunks(responses, [bytes], form);
  if (read === null) throw new Error('reads');
  return { chunks: [bytes], form, read };
}

describe('requests', () => {
  test('QV-22 items, instructions, calls and results', () => {
    const read = responses.readRequest(
      json({
        model: 'gpt-5',
        instructions: 'Be short.',
        input: [
          { role: 'user', content: 'How full?' },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] },
          {
            role: 'user',
            content: [
              { type: 'input_text', text: 'Well?' },
              { type: 'input_image', image_url: 'x' },
            ],
          },
          reasoning,
          call,
          { type: 'function_call_output', call_id: 'call_1', output: '{"disk_pct": 91.40}' },
          { type: 'mcp_call', id: 'mcp_1', name: 'look', arguments: '{}', output: '12' },
          { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        ],
      }),
    );
    expect(read).toMatchObject({
      model: 'gpt-5',
      stream: false,
      offersTools: false,
      asksShape: false,
      choices: 1,
    });
    expect(read?.messages).toEqual([
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'How full?' },
      { role: 'assistant', content: 'Wait.' },
      { role: 'user', content: 'Well?\n[input_image]' },
      { role: 'assistant', content: '[tool call disk call_1] {"n": 1.50}' },
      { role: 'tool', content: '[tool result call_1] {"disk_pct": 91.40}' },
      { role: 'assistant', content: '[tool call look mcp_1] {}' },
      { role: 'tool', content: '[tool result mcp_1] 12' },
      { role: 'assistant', content: '[web_search_call]' },
    ]);
    expect(read?.tools).toEqual([
      { id: 'call_1', name: 'disk', arguments: '{"n": 1.50}', result: '{"disk_pct": 91.40}' },
      { id: 'mcp_1', name: 'look', arguments: '{}', result: '12' },
    ]);
  });

  test.each([
    [
      'a string is a message of the user',
      '{"input":"Hé \\"1\\"", "n":1e400}',
      '{"input":[{"role":"user","content":"Hé \\"1\\""},NOTE], "n":1e400}',
    ],
    ['items get one more', '{"input":[ {"role":"user"} ]}', '{"input":[ {"role":"user"},NOTE ]}'],
    ['no items', '{"input":[]}', '{"input":[NOTE]}'],
  ])('QV-26 QV-27 steering comes last in the input: %s', (_, body, expected) => {
    const steered = responses.withSteering(Buffer.from(body), 'note');
    expect(String(steered)).toBe(expected.replace('NOTE', '{"role":"system","content":"note"}'));
  });

  test.each(['{}', '{"input":3}', '[]', 'x'])('no request: %s', (text) => {
    const body = Buffer.from(text);
    expect([
      responses.readRequest(body),
      responses.withSteering(body, 'n'),
      responses.withRule(body, 'r', null, 'none'),
    ]).toEqual([null, null, null]);
  });

  test('INT-7 a correction follows the answer it is about', () => {
    expect(
      JSON.parse(String(responses.withCorrection(json({ input: 'a' }), 'It is 3.', 'Cite 3.'))),
    ).toEqual({
      input: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'It is 3.' },
        { role: 'user', content: 'Cite 3.' },
      ],
    });
  });

  const schema = { type: 'object' };
  const format = { type: 'json_schema', name: 'deliver_answer', schema, strict: false };
  test.each([
    [
      'INT-17 json_schema',
      { input: 'a' },
      'json_schema',
      { instructions: 'rule', text: { format } },
    ],
    [
      'INT-17 with a verbosity',
      { input: 'a', text: { verbosity: 'low' } },
      'json_schema',
      { instructions: 'rule', text: { verbosity: 'low', format } },
    ],
    [
      'plain text is no shape',
      { input: 'a', text: { format: { type: 'text' } } },
      'json_schema',
      { instructions: 'rule', text: { format } },
    ],
    [
      'INT-17 best effort',
      { input: 'a' },
      'json_best_effort',
      { instructions: 'rule', text: { format: { type: 'json_object' } } },
    ],
    [
      'own instructions',
      { input: 'a', instructions: 'own' },
      'none',
      { instructions: 'rule\n\nown' },
    ],
    ['null instructions', { input: 'a', instructions: null }, 'none', { instructions: 'rule' }],
  ] as const)('the rule comes first in the instructions: %s', (_, body, shape, rest) => {
    expect(JSON.parse(String(responses.withRule(json(body), 'rule', schema, shape)))).toEqual({
      ...body,
      ...rest,
    });
  });

  test.each([
    ['tools are offered', { input: 'a', tools: [{}] }],
    ['a shape is asked for', { input: 'a', text: { format: { type: 'json_object' } } }],
    [
      'more than 5,000 items',
      { input: Array.from({ length: 5001 }, () => ({ role: 'user', content: '' })) },
    ],
  ])('INT-17 no rule is added if %s', (_, body) => {
    expect(responses.withRule(json(body), 'rule', schema, 'json_schema')).toBeNull();
  });
});

describe('answers', () => {
  test.each([
    [
      'text of all parts',
      response([reasoning, item('a', 'b')], usage),
      { text: 'ab', model: 'gpt-5', inputTokens: 19, outputTokens: 7, complete: true },
    ],
    [
      'tool calls',
      response([call]),
      { text: '', toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"n": 1.50}' }] },
    ],
    [
      'a refusal',
      response([{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }]),
      { text: 'No.' },
    ],
    ['at its limit', response([item('a')], { status: 'incomplete' }), { complete: true }],
    ['in the background', response([], { status: 'queued' }), { complete: false, text: '' }],
  ])('QV-19 a JSON body: %s', (_, body, expected) => {
    expect(responses.readAnswer(json(body))).toMatchObject(expected);
  });

  test.each(['', 'x', '{"error":{}}', '{"output":"x"}'])('no answer: %s', (text) =>
    expect(responses.readAnswer(Buffer.from(text))).toBeNull(),
  );

  test.each([
    [
      'text and usage',
      spoken,
      { text: 'It is 91 %.', inputTokens: 19, outputTokens: 7, model: 'gpt-5', complete: true },
      11,
    ],
    [
      'cut short',
      frames(...begin, delta('It')),
      { text: 'It', model: 'gpt-5', complete: false },
      2,
    ],
    [
      'a tool-call-only stream has no text',
      frames(
        { type: 'response.output_item.done', item: call } as Event,
        { type: 'response.completed', response: response([call]) } as Event,
      ),
      {
        text: '',
        toolCalls: [{ id: 'call_1', name: 'disk', arguments: '{"n": 1.50}' }],
        complete: true,
      },
      0,
    ],
    [
      'a last event without output',
      frames(delta('a'), { type: 'response.completed' }),
      { text: 'a', complete: true },
      1,
    ],
    [
      'at its limit',
      frames(delta('a'), {
        type: 'response.incomplete',
        response: response([item('a')], { status: 'incomplete' }),
      } as Event),
      { text: 'a', complete: true },
      1,
    ],
    [
      'a refusal',
      frames({ type: 'response.refusal.delta', delta: 'No' } as Event),
      { text: 'No', complete: false },
      2,
    ],
    [
      'reasoning and comments are no text',
      Buffer.concat([
        Buffer.from(': keep-alive\n\n'),
        frames({ type: 'response.reasoning_summary_text.delta', delta: 'hm' } as Event),
        spoken,
      ]),
      { text: 'It is 91 %.' },
      11,
    ],
  ] as const)('QV-19 a stream: %s', (_, stream, expected, bytes) => {
    const reader = responses.createReader();
    reader.push(stream);
    expect(reader.read()).toMatchObject(expected);
    expect(reader.textBytes).toBe(bytes);
    expect(reader.callsTool).toBe('toolCalls' in expected);
    expect(reader.failed).toBe(false);
  });

  test.each([
    [
      'response.failed',
      {
        type: 'response.failed',
        response: response([], { status: 'failed', error: { code: 'server_error' } }),
      },
    ],
    ['error', { type: 'error', code: 'x', message: 'y' }],
  ])('QV-36 %s is a failure', (_, event) => {
    const reader = responses.createReader();
    reader.push(frames(delta('a'), event));
    expect([reader.failed, reader.read().complete]).toEqual([true, false]);
  });

  test('lastEventAt is the offset of the last event', () => {
    const reader = responses.createReader();
    reader.push(spoken);
    expect(reader.lastEventAt).toBe(spoken.indexOf('event: response.completed'));
  });
});

describe('withText', () => {
  test('a stream has the text in one delta and in all events that repeat it', () => {
    const changed = responses.withText(buffered(spoken, 'sse'), 'It is 92 %.');
    expect(String(changed?.chunks[0])).toBe(
      frames(...begin, delta('It is 92 %.'), ...ends('It is 92 %.')).toString(),
    );
    expect(readChunks(responses, changed?.chunks ?? [], 'sse')).toEqual(changed?.read);
  });

  test('the parts after the first become empty', () => {
    const second = { ...delta('b'), content_index: 1 };
    const completed = (...texts: string[]) =>
      ({
        type: 'response.completed',
        response: response([reasoning, item(...texts)], { output_text: texts.join('') }),
      }) as Event;
    const changed = responses.withText(
      buffered(frames(delta('a'), second, completed('a', 'b')), 'sse'),
      'c',
    );
    expect(String(changed?.chunks[0])).toBe(frames(delta('c'), completed('c', '')).toString());
  });

  test('a JSON body', () => {
    const body = (text: string) =>
      json(
        response([reasoning, item(text, text === 'new' ? '' : 'b')], {
          output_text: text === 'new' ? 'new' : 'ab',
          ...usage,
        }),
      );
    const changed = responses.withText(buffered(body('a'), 'json'), 'new');
    expect(String(changed?.chunks[0])).toBe(body('new').toString());
  });

  test.each([
    ['tool calls alone', buffered(json(response([call])), 'json')],
    [
      'a stream without text',
      buffered(frames({ type: 'response.completed', response: response([call]) } as Event), 'sse'),
    ],
  ])('null: %s', (_, answer) => expect(responses.withText(answer, 'x')).toBeNull());
});

test('errors have the format of the API', () => {
  expect(JSON.parse(String(responses.errorBody(401, 'invalid_key', 'x')))).toEqual({
    error: { message: 'x', type: 'authentication_error', param: null, code: 'invalid_key' },
  });
  const reader = responses.createReader();
  reader.push(responses.errorEvent(503, 'error', 'x'));
  expect(reader.failed).toBe(true);
});
