import { expect, test } from 'vitest';
import { detailParts } from './audit-words';

const parts = (detail: unknown) =>
  detailParts(JSON.stringify(detail)).map(({ name, text }) => `${name}: ${text}`);

test('the members of a change are named in words', () => {
  expect(parts({ newKey: true, pass_threshold: 0.8, models: ['a', 'b'], note: null })).toEqual([
    'new key: yes',
    'pass threshold: 0.8',
    'models: a, b',
  ]);
  expect(parts({ prices: { input: 1, output: null }, sends: [] })).toEqual([
    'prices: input 1, output none',
    'sends: none',
  ]);
});

test('a change shows the previous and the new values, without unchanged ones', () => {
  expect(
    parts({ before: { limit: 1, judge: 'a' }, after: { limit: 2, judge: 'a' }, reason: 'cost' }),
  ).toEqual(['limit: 1 → 2', 'reason: cost']);
  expect(parts({ version: 3, config: { rounds: 2 }, before: { rounds: null } })).toEqual([
    'rounds: none → 2',
    'version: 3',
  ]);
});

test('a detail without members, or of another form, is shown unchanged', () => {
  expect(parts({})).toEqual([]);
  expect(detailParts('not JSON')).toEqual([{ name: '', text: 'not JSON' }]);
});
