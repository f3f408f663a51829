import { describe, expect, test } from 'vitest';
import type { ConfigField } from '@/app/_trpc/outputs';
import { readEdits, shownValue, valueText } from './config-draft';

const named = { name: 'n', meaning: 'm' };
const rate: ConfigField = {
  ...named,
  key: 'rate',
  type: 'number',
  min: 0,
  max: 1,
  whole: false,
  value: 0.1,
  standard: 0.1,
};
const option = (value: string, name: string) => ({ value, name, meaning: 'm' });
const options = [option('a', 'First'), option('b', 'Second')];
const way: ConfigField = {
  ...named,
  key: 'way',
  type: 'choice',
  options,
  value: 'a',
  standard: 'a',
};
const more: ConfigField = {
  ...named,
  key: 'more',
  type: 'choices',
  options,
  value: [],
  standard: [],
};
const on: ConfigField = { ...named, key: 'on', type: 'switch', value: false, standard: false };
const fields = [rate, way, more, on];

describe('readEdits', () => {
  test.each<[string, [string, string | boolean | string[]][], object]>([
    ['nothing', [], {}],
    [
      'settings with a value',
      [
        ['rate', ' 0.10 '],
        ['way', 'a'],
        ['more', []],
        ['on', false],
      ],
      {},
    ],
    ['a decimal comma', [['rate', '0,25']], { rate: 0.25 }],
    ['out of range, for the server to refuse', [['rate', '7']], { rate: 7 }],
    [
      'each kind',
      [
        ['way', 'b'],
        ['more', ['b']],
        ['on', true],
      ],
      { way: 'b', more: ['b'], on: true },
    ],
  ])('sends only what differs: %s', (_, edits, config) => {
    expect(readEdits(fields, new Map(edits))).toEqual({ ok: true, config });
  });

  test.each(['', 'x', '1e3', '0.1.2', 'NaN', '--1'])('reports that %j is not a number', (typed) => {
    expect(readEdits(fields, new Map([['rate', typed]]))).toEqual({
      ok: false,
      errors: { rate: 'Enter a number from 0 to 1.' },
    });
  });
});

test('a field shows the typed value, else the stored one', () => {
  expect(shownValue(rate, new Map())).toBe('0.1');
  expect(shownValue(rate, new Map([['rate', '0.']]))).toBe('0.');
  expect(shownValue(on, new Map([['on', true]]))).toBe(true);
});

test('a value is shown by its name', () => {
  expect(valueText(way, 'b')).toBe('Second');
  expect(valueText(way, 'gone')).toBe('gone');
  expect(valueText(more, [])).toBe('none');
  expect(valueText(more, ['a', 'b'])).toBe('First, Second');
  expect([valueText(on, true), valueText(rate, 0.1), valueText(rate, 12_000)]).toEqual([
    'on',
    '0.1',
    '12,000',
  ]);
});
