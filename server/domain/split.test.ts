import { expect, test } from 'vitest';
import { splitOf } from './split';

test('a key belongs to one part for good, and keys that are nearly alike are spread 15 : 42.5 : 42.5', () => {
  const keys = Array.from({ length: 20_000 }, (_, n) => `session-${n}`);
  for (const [split, share] of [
    ['train', 0.15],
    ['development', 0.425],
    ['test', 0.425],
  ] as const)
    expect(
      Math.abs(keys.filter((key) => splitOf(key) === split).length / keys.length - share),
    ).toBeLessThan(0.015);
  // Fixed values: a different computation would tune on held-out data.
  expect(['a', 'b', 'session-1', '', 'ses_42'].map(splitOf)).toEqual([
    'train',
    'development',
    'train',
    'test',
    'development',
  ]);
});
