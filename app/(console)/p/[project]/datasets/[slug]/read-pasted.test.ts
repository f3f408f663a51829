import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bodyOf, detectFormat } from './read-pasted';

const item = '{"input": 1.50}';

test.each([
  ['', 'csv'],
  ['input,reference\nHow long?,Five days', 'csv'],
  ['"input","reference"', 'csv'],
  [`[${item}]`, 'json'],
  [`\uFEFF {"items": [${item}]}`, 'json'],
  [item, 'json'],
  [`${item}\n${item}`, 'jsonl'],
  [`${item}\n{broken`, 'jsonl'],
])('%j is %s', (text, format) => {
  expect(detectFormat(text)).toBe(format);
});

test.each([
  [`\uFEFF[${item}]\n`, 'json', `{"items":[${item}]}`],
  [item, 'json', `{"items":[${item}]}`],
  [`{"items":[${item}],"mode":"replace"}`, 'json', `{"items":[${item}],"mode":"replace"}`],
  ['{broken', 'json', '{broken'],
  [`${item}\n${item}`, 'jsonl', `${item}\n${item}`],
  ['input\n1', 'csv', 'input\n1'],
] as const)('%j as %s is sent as %j', (text, format, body) => {
  expect(bodyOf(text, format)).toBe(body);
});

const values = fc.record({ input: fc.jsonValue(), reference: fc.jsonValue() });

test('lists and lines of items are detected', () => {
  fc.assert(
    fc.property(fc.array(values, { minLength: 2, maxLength: 5 }), (items) => {
      const lines = items.map((each) => JSON.stringify(each)).join('\n');
      expect(detectFormat(lines)).toBe('jsonl');
      const list = JSON.stringify(items, null, 2);
      expect(detectFormat(list)).toBe('json');
      expect(JSON.parse(bodyOf(list, 'json'))).toEqual({ items: JSON.parse(list) });
    }),
  );
});
