import { expect, test } from 'vitest';
import { newPrice, readPrice } from './price-draft';

const draft = { ...newPrice, model: 'gpt-4o', validFrom: '2026-01-31', input: '2.5', output: '10' };

test('an empty optional price is none, not 0', () => {
  expect(readPrice({ ...draft, cacheRead: '0' })).toEqual({
    ok: true,
    input: {
      model: 'gpt-4o',
      valid_from: '2026-01-31',
      usd_per_million: {
        input: 2.5,
        output: 10,
        cache_read: 0,
        cache_write: null,
        reasoning: null,
      },
    },
  });
});

test.each([
  ['model', ''],
  ['model', 'm'.repeat(301)],
  ['validFrom', ''],
  ['validFrom', '2026-02-30'],
  ['input', ''],
  ['input', 'two'],
  ['output', '-1'],
  ['cacheRead', 'x'],
  ['cacheWrite', '100001'],
  ['reasoning', 'Infinity'],
] as const)('the error is at the field %s: "%s"', (field, value) => {
  const read = readPrice({ ...draft, [field]: value });
  expect(read).toMatchObject({ ok: false });
  expect('errors' in read ? Object.keys(read.errors) : []).toEqual([field]);
});
