import { expect, test } from 'vitest';
import { isTooSoon } from './early-key-guard';

test.each([
  ['before the item was shown', 1_000, 990, true],
  ['with it', 1_000, 1_000, true],
  ['as the second half of a double click', 1_000, 1_120, true],
  ['just before a quarter of a second', 1_000, 1_249.9, true],
  ['after a quarter of a second', 1_000, 1_250, false],
  ['much later', 1_000, 90_000, false],
  ['while nothing is in hand', null, 90_000, true],
] as const)('a key pressed %s rules on it or does not', (_when, since, at, tooSoon) => {
  expect(isTooSoon(since, at)).toBe(tooSoon);
});

test('events and items use the same clock', () => {
  const since = performance.now();
  expect(isTooSoon(since, new Event('keydown').timeStamp)).toBe(true);
});
