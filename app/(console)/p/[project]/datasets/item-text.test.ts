import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentText, inputLine, readTags, stateText, valueLine } from './item-text';

const content = (input: string | null) => ({
  input,
  context: null,
  tools: null,
  reference: null,
  metadata: null,
});

test.each([
  ['"How long?\\nSecond line"', 'How long?'],
  ['""', 'Empty input'],
  ['[{"role":"system","content":"Be short."},{"role":"user","content":"How long?"}]', 'How long?'],
  ['[{"role":"user","content":[{"type":"text","text":"Which one?"}]}]', 'Which one?'],
  [
    '{"messages":[{"role":"user","content":"How long?"},{"role":"tool","content":"x"}]}',
    'How long?',
  ],
  ['[{"role":"system","content":"Be short."}]', 'Be short.'],
  ['{"a": 1.50,\n "b": 2}', '{"a": 1.50, "b": 2}'],
  ['[1, 2]', '[1, 2]'],
  ['null', 'null'],
])('the input %s has the title %s', (input, title) => {
  expect(inputLine(content(input))).toBe(title);
});

test('any JSON has a title of one line', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(inputLine(content(json))).toMatch(/^[^\n]+$/);
    }),
  );
});

test('a missing value has an empty line', () => {
  expect(valueLine(null)).toBe('');
});

test('the content keeps digits and escapes, with one member per line', () => {
  const text = contentText({
    ...content('"caf\\u00e9"'),
    reference: '{"price":1.50}',
    metadata: '{}',
  });
  expect(text).toBe(
    [
      '{',
      '  "input": "caf\\u00e9",',
      '  "reference": {',
      '    "price": 1.50',
      '  },',
      '  "metadata": {}',
      '}',
    ].join('\n'),
  );
});

test('the content of any item is the same JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (input, reference) => {
      expect(JSON.parse(contentText({ ...content(input), reference }))).toEqual(
        JSON.parse(`{"input":${input},"reference":${reference}}`),
      );
    }),
  );
});

test('the state also has the split and the tags', () => {
  const state = { content: content('1'), split: 'dev', tags: ['a', 'b'] };
  expect(JSON.parse(stateText(state))).toEqual({ input: 1, split: 'dev', tags: ['a', 'b'] });
  expect(JSON.parse(stateText({ ...state, split: null, tags: [] }))).toEqual({ input: 1 });
});

test.each([
  ['', []],
  [' a, b ,,a', ['a', 'b']],
])('%j are the tags %j', (text, tags) => {
  expect(readTags(text)).toEqual(tags);
});
