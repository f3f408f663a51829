import { describe, expect, test } from 'vitest';
import { readChunks } from './dialects';
import { gemini } from './gemini';
import { readRecent } from './read-recent';

const bytes = (value: unknown): Buffer =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
const user = { role: 'user', parts: [{ text: 'How full is web-1?' }] };
const call = (args: object) => ({ functionCall: { name: 'disk', args } });
const response = (result: object) => ({ functionResponse: { name: 'disk', response: result } });

describe('a request', () => {
  test('INT-2 function responses of this turn are its tools, those of one name in their order', () => {
    const read = gemini.readRequest(
      bytes(
        '{"systemInstruction":{"parts":[{"text":"You help."}]},"contents":[' +
          `${JSON.stringify(user)},{"role":"model","parts":[{"text":"Hm.","thought":true},` +
          '{"functionCall":{"name":"disk","args":{"host":"a"}},"thoughtSignature":"s"},{"functionCall":{"name":"disk","args":{"host":"b"}}}]},' +
          '{"role":"user","parts":[{"functionResponse":{"name":"disk","response":{"pct":91.40}}},{"functionResponse":{"name":"disk","response":{"pct":5}}},{"text":"Be brief."}]}]}',
      ),
    );
    expect(read?.tools).toEqual([
      { id: '', name: 'disk', arguments: '{"host":"a"}', result: '{"pct":91.40}' },
      { id: '', name: 'disk', arguments: '{"host":"b"}', result: '{"pct":5}' },
    ]);
    expect(read?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'You help.'],
      ['user', 'How full is web-1?'],
      ['assistant', '[tool call disk] {"host":"a"}\n[tool call disk] {"host":"b"}'],
      ['tool', '[tool result] {"pct":91.40}'],
      ['tool', '[tool result] {"pct":5}'],
      ['tool', 'Be brief.'],
    ]);
  });

  test('names in snake case, one object instead of a list, and data are read', () => {
    const read = gemini.readRequest(
      bytes({
        system_instruction: { parts: { text: 'You help.' } },
        contents: { parts: [{ text: 'Look.' }, { inlineData: { data: 'AA==' } }] },
        generation_config: { response_mime_type: 'application/json', candidate_count: 2 },
      }),
    );
    expect(read).toMatchObject({
      messages: [
        { role: 'system', content: 'You help.' },
        { role: 'user', content: 'Look.\n[inlineData]' },
      ],
      asksShape: true,
      choices: 2,
      offersTools: false,
    });
    const snake = { function_response: { name: 'disk', response: { pct: 1 } } };
    expect(gemini.readRequest(bytes({ contents: [{ parts: [snake] }] }))?.tools).toMatchObject([
      { name: 'disk', result: '{"pct":1}' },
    ]);
  });

  test.each([
    [[user], false],
    [[user, { role: 'model', parts: [call({})] }, { role: 'user', parts: [response({})] }], true],
    [[user, { role: 'user', parts: [response({})] }, { role: 'model', parts: [] }], true],
    [[{ role: 'user', parts: [response({})] }, user], false],
    [[{ role: 'user', parts: [response({})] }, { parts: user.parts }], false],
  ])('QV-5 the contents %j end with a tool result: %s', (contents, toolFollowup) => {
    const filler = 'x'.repeat(3_000);
    for (const first of ['', filler])
      for (const last of ['', filler]) {
        const hints = gemini.hintsOf(
          bytes({ labels: { first }, contents, generationConfig: { last } }),
        );
        expect(hints).toEqual({ model: null, stream: false, session: null, toolFollowup });
      }
  });

  test('R-104 only the last contents of a very long request are read', () => {
    const contents = [
      ...Array.from({ length: 25_000 }, (_, n) => ({ role: 'user', parts: [{ text: `m${n}` }] })),
      user,
    ];
    const read = readRecent(gemini, bytes({ contents, tools: [{ functionDeclarations: [] }] }));
    if (read === null || read === 'too_long') throw new Error('not read');
    expect(read.messages.at(-1)?.content).toBe('How full is web-1?');
    expect(read.messages.length).toBeLessThan(contents.length);
  });

  test.each([
    ['{"contents":[]}', '{"contents":[],"systemInstruction":{"parts":[{"text":"N"}]}}'],
    [
      '{"systemInstruction":{"parts":[{"text":"a"}]},"contents":[]}',
      '{"systemInstruction":{"parts":[{"text":"a"},{"text":"N"}]},"contents":[]}',
    ],
    [
      '{"system_instruction":{"parts":{"text":"a"}},"contents":[]}',
      '{"system_instruction":{"parts":[{"text":"a"},{"text":"N"}]},"contents":[]}',
    ],
    ['{"systemInstruction":"a","contents":[]}', null],
    ['{"messages":[]}', null],
  ])('QV-26 the note becomes the last part of the system instruction: %s', (body, steered) => {
    expect(gemini.withSteering(bytes(body), 'N')?.toString() ?? null).toBe(steered);
  });

  test('INT-17 the rule and the schema are added, unless tools or a format are requested', () => {
    const schema = { type: 'object' };
    const add = (body: object, shape: 'json_schema' | 'none' = 'json_schema'): unknown => {
      const ruled = gemini.withRule(bytes(body), 'R', shape === 'none' ? null : schema, shape);
      return ruled === null ? null : JSON.parse(ruled.toString());
    };
    const rule = { parts: [{ text: 'R' }] };
    const format = { responseMimeType: 'application/json', responseJsonSchema: schema };
    expect(add({ contents: [user] })).toEqual({
      contents: [user],
      systemInstruction: rule,
      generationConfig: format,
    });
    expect(add({ contents: [user] }, 'none')).toEqual({
      contents: [user],
      systemInstruction: rule,
    });
    expect(
      add({
        contents: [user],
        system_instruction: { parts: [{ text: 'a' }] },
        generation_config: { temperature: 0, response_mime_type: 'text/plain' },
      }),
    ).toEqual({
      contents: [user],
      system_instruction: { parts: [{ text: 'R' }, { text: 'a' }] },
      generation_config: {
        temperature: 0,
        response_mime_type: 'application/json',
        responseJsonSchema: schema,
      },
    });
    expect(add({ contents: [user], tools: [{ googleSearch: {} }] })).toBeNull();
    expect(add({ contents: [user], generationConfig: { responseSchema: schema } })).toBeNull();
    expect(add({ contents: [user], generationConfig: { candidateCount: 2 } })).toBeNull();
  });

  test('INT-7 a correction follows the answer', () => {
    expect(
      JSON.parse(String(gemini.withCorrection(bytes({ contents: [user] }), 'A', 'C'))),
    ).toEqual({
      contents: [
        user,
        { role: 'model', parts: [{ text: 'A' }] },
        { role: 'user', parts: [{ text: 'C' }] },
      ],
    });
  });
});

const piece = (parts: object[], more: object = {}, top: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, ...more }],
  modelVersion: 'm',
  ...top,
});
const usage = {
  promptTokenCount: 3,
  cachedContentTokenCount: 2,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 5,
};
const stop = { finishReason: 'STOP' };

describe('an answer', () => {
  test.each([
    ['a body', piece([{ text: 'a' }, { text: 'b' }], stop, { usageMetadata: usage }), 'ab', true],
    ['a thought', piece([{ text: 'no', thought: true }, { text: 'a' }], stop), 'a', true],
    ['an array of objects', [piece([{ text: 'a' }]), piece([{ text: 'b' }], stop)], 'ab', true],
    ['no end', piece([{ text: 'a' }]), 'a', false],
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, '', true],
  ])('%s', (_what, body, text, complete) => {
    expect(gemini.readAnswer(bytes(body))).toMatchObject({ text, complete });
  });

  test('tokens of thoughts are output, and arguments keep their digits', () => {
    const body =
      '{"candidates":[{"content":{"parts":[{"functionCall":{"id":"c","name":"f","args":{"x":1.50}}}]},"finishReason":"STOP"}],' +
      `"usageMetadata":${JSON.stringify(usage)}}`;
    expect(gemini.readAnswer(bytes(body))).toMatchObject({
      toolCalls: [{ id: 'c', name: 'f', arguments: '{"x":1.50}' }],
      inputTokens: 3,
      outputTokens: 9,
      tokenParts: { cacheRead: 2, cacheWrite: null, reasoning: 5 },
    });
  });

  test.each(['{"error":{}}', '[]', '{}', '{"choices":[]}', 'x'])('%s is none', (body) => {
    expect(gemini.readAnswer(bytes(body))).toBeNull();
  });

  const rewritten = (value: unknown): unknown => {
    const body = bytes(value);
    const read = gemini.readAnswer(body);
    if (read === null) throw new Error('no answer');
    const answer = gemini.withText({ chunks: [body], form: 'json', read }, 'N');
    return answer === null ? null : JSON.parse(answer.chunks.join(''));
  };
  const signed = { text: 'b', thoughtSignature: 's' };
  test.each([
    ['the first text', [{ text: 'a' }], [{ text: 'N' }]],
    ['other texts are dropped', [{ text: 'a' }, { text: 'b' }], [{ text: 'N' }]],
    ['a signature stays', [{ text: 'a' }, signed], [{ text: 'N' }, { ...signed, text: '' }]],
    [
      'thoughts and calls stay',
      [{ text: 'h', thought: true }, { text: 'a' }, call({})],
      [{ text: 'h', thought: true }, { text: 'N' }, call({})],
    ],
  ])('INT-16 a rewritten body: %s', (_what, before, after) => {
    expect(rewritten(piece(before, stop))).toEqual(piece(after, stop));
  });

  test('INT-16 log probabilities of the old text are removed; several candidates are not rewritten', () => {
    const more = { ...stop, avgLogprobs: -0.1, logprobsResult: { chosen: [] } };
    expect(rewritten(piece([{ text: 'a' }], more))).toEqual(
      piece([{ text: 'N' }], { ...stop, avgLogprobs: null, logprobsResult: null }),
    );
    const two = {
      candidates: [
        { ...stop, content: {} },
        { index: 1, ...stop, content: {} },
      ],
    };
    expect(rewritten(two)).toBeNull();
    expect(rewritten([piece([{ text: 'a' }]), piece([{ text: 'b' }], stop)])).toEqual([
      piece([{ text: 'N' }]),
      piece([{ text: '' }], stop),
    ]);
  });

  test('INT-16 a rewritten stream has the text in one event, and its end', () => {
    const event = (value: object): string => `data: ${JSON.stringify(value)}\r\n\r\n`;
    const stream = bytes(
      [piece([{ text: 'a' }]), piece([{ text: 'b' }]), piece([{ text: 'c' }], stop)]
        .map(event)
        .join(''),
    );
    const read = readChunks(gemini, [stream], 'sse');
    if (read === null) throw new Error('no answer');
    const answer = gemini.withText({ chunks: [stream], form: 'sse', read }, 'N');
    expect(answer?.chunks.join('')).toBe(
      event(piece([{ text: 'N' }])) + event(piece([{ text: '' }], stop)),
    );
  });

  test('QV-36 an error in a stream is a failure', () => {
    const reader = gemini.createReader();
    reader.push(gemini.errorEvent(503, 'x', 'The model is overloaded.'));
    expect(reader.failed).toBe(true);
    expect(JSON.parse(gemini.errorBody(429, 'x', 'Slow down.').toString())).toEqual({
      error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' },
    });
  });
});
