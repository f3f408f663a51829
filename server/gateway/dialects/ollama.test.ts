import { describe, expect, test } from 'vitest';
import { chat } from './chat';
import { readChunks } from './dialects';
import { embeddings } from './embeddings';
import { withoutCutLine } from './ndjson';
import { ollama } from './ollama';

const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const user = { role: 'user', content: 'How full is web-1?' };

describe('a request', () => {
  test('INT-2 results are those of the calls of their tool, in their order', () => {
    const read = ollama.readRequest(
      bytes(
        `{"model":"m","messages":[${JSON.stringify(user)},{"role":"assistant","content":"","tool_calls":[` +
          '{"function":{"name":"disk","arguments":{"host":"a","n":1.50}}},{"function":{"name":"disk","arguments":{"host":"b"}}}]},' +
          '{"role":"tool","tool_name":"disk","content":"91.4"},{"role":"tool","tool_name":"disk","content":"5"}]}',
      ),
    );
    expect(read).toMatchObject({ model: 'm', stream: true });
    expect(read?.tools).toEqual([
      { id: '', name: 'disk', arguments: '{"host":"a","n":1.50}', result: '91.4' },
      { id: '', name: 'disk', arguments: '{"host":"b"}', result: '5' },
    ]);
  });

  test.each([
    [{}, true],
    [{ stream: true }, true],
    [{ stream: null }, true],
    [{ stream: false }, false],
  ])('it streams unless that is turned off: %j', (more, stream) => {
    for (const filler of ['', 'x'.repeat(5_000)]) {
      const body = bytes({ model: 'm', messages: [user], ...more, options: { filler } });
      expect(ollama.hintsOf(body)).toMatchObject({ model: 'm', stream, session: null });
      expect(ollama.readRequest(body)?.stream).toBe(stream);
    }
  });

  test('INT-17 the schema is the format', () => {
    const ruled = ollama.withRule(
      bytes({ messages: [user] }),
      'R',
      { type: 'object' },
      'json_schema',
    );
    expect(JSON.parse(String(ruled))).toEqual({
      messages: [{ role: 'system', content: 'R' }, user],
      format: { type: 'object' },
    });
    expect(
      ollama.withRule(bytes({ messages: [user], format: 'json' }), 'R', null, 'none'),
    ).toBeNull();
  });
});

const line = (content: string, more: object = { done: false }): string =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, ...more })}\n`;
const end = { done: true, prompt_eval_count: 3, eval_count: 4 };

describe('an answer', () => {
  test('INT-16 a rewritten stream has the text in one line, and its end', () => {
    const stream = bytes(line('a') + line('b') + line('', { done: false }) + line('c', end));
    const read = readChunks(ollama, [stream], 'ndjson');
    expect(read).toMatchObject({ text: 'abc', inputTokens: 3, outputTokens: 4, complete: true });
    if (read === null) throw new Error('no answer');
    const answer = ollama.withText({ chunks: [stream], form: 'ndjson', read }, 'N');
    expect(answer?.chunks.join('')).toBe(line('N') + line('', { done: false }) + line('', end));
  });

  test('INT-16 a rewritten body', () => {
    const body = bytes(line('a', end));
    const read = ollama.readAnswer(body);
    if (read === null) throw new Error('no answer');
    const answer = ollama.withText({ chunks: [body], form: 'json', read }, 'N');
    expect(answer?.chunks.join('')).toBe(line('N', end));
    expect(ollama.withText({ chunks: [bytes(line('', end))], form: 'json', read }, 'N')).toBeNull();
  });

  test('R-65 a stream that breaks off is incomplete, and loses its cut line', () => {
    const stream = bytes(line('a') + line('b').slice(0, -9));
    expect(readChunks(ollama, [stream], 'ndjson')).toMatchObject({ text: 'a', complete: false });
    expect(withoutCutLine(stream).toString()).toBe(line('a'));
    expect(withoutCutLine(bytes('{"a')).length).toBe(0);
  });

  test('QV-36 an error in a stream is a failure', () => {
    const reader = ollama.createReader();
    reader.push(bytes(line('a')));
    reader.push(ollama.errorEvent(500, 'x', 'Out of memory.'));
    expect([reader.failed, reader.read().complete]).toEqual([true, false]);
  });

  test.each(['{"error":"x"}', '{"response":"x"}', '[]', 'x'])('%s is none', (body) => {
    expect(ollama.readAnswer(bytes(body))).toBeNull();
  });
});

const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] };
const text = (value: string) => ({ type: 'text', text: value });
test.each([
  [[text('a'), text('b')], 'N'],
  [
    [thinking, text('a')],
    [thinking, text('N')],
  ],
])('INT-16 Mistral’s content in parts %j is rewritten to %j', (content, after) => {
  const choice = (given: unknown) => ({
    choices: [{ index: 0, message: { role: 'assistant', content: given }, finish_reason: 'stop' }],
  });
  const body = bytes(choice(content));
  const read = chat.readAnswer(body);
  if (read === null) throw new Error('no answer');
  const answer = chat.withText({ chunks: [body], form: 'json', read }, 'N');
  expect(JSON.parse(answer?.chunks.join('') ?? '')).toEqual(choice(after));
});

test('INT-2 Mistral’s arguments as an object keep their digits', () => {
  const read = chat.readRequest(
    bytes(
      `{"messages":[${JSON.stringify(user)},{"role":"assistant","tool_calls":[{"id":"abc","function":{"name":"disk","arguments":{"n":1.50}}}]},` +
        '{"role":"tool","tool_call_id":"abc","name":"disk","content":"91"}]}',
    ),
  );
  expect(read?.tools).toEqual([{ id: 'abc', name: 'disk', arguments: '{"n":1.50}', result: '91' }]);
});

const data = [{ embedding: Array.from({ length: 30_000 }, () => 0.5) }];
test.each([
  ['OpenAI', { object: 'list', data, model: 'e', usage: { prompt_tokens: 8 } }, 'e', 8],
  ['with its data last', { model: 'e', usage: { prompt_tokens: 8 }, data }, 'e', 8],
  ['Ollama', { model: 'e', embeddings: data, prompt_eval_count: 8 }, 'e', 8],
  ['Google', { embeddings: data }, null, null],
  ['a short one', { data: [], model: 'e', usage: { prompt_tokens: 0 } }, 'e', 0],
  ['an array', [], null, null],
])('the model and tokens of embeddings are at their ends: %s', (_who, body, model, inputTokens) => {
  const whole = bytes(body);
  const ends = Buffer.concat([whole.subarray(0, 65_536), whole.subarray(65_536).subarray(-4096)]);
  for (const each of [whole, ends])
    expect(embeddings.readAnswer(each)).toMatchObject({
      text: '',
      model,
      inputTokens,
      outputTokens: null,
      complete: true,
    });
});
