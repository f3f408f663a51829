import { expect, test } from 'vitest';
import { RETRY_AFTER_MAX_MS, pauseOf } from '../verify/retry-transient';
import { readRetryAfterMs } from './retry-after';

const now = new Date('2026-11-25T10:00:00Z');
const read = (...headers: string[]) => readRetryAfterMs(headers, now);

test.each([
  ['seconds', ['Retry-After', '7'], 7_000],
  ['a part of a second', ['retry-after', '0.5'], 500],
  ['none', ['retry-after', '0'], 0],
  ['an HTTP date', ['RETRY-AFTER', 'Wed, 25 Nov 2026 10:00:30 GMT'], 30_000],
  ['the older form of a date', ['retry-after', 'Wednesday, 25-Nov-26 10:00:30 GMT'], 30_000],
  ['a date in the past', ['retry-after', 'Wed, 25 Nov 2026 09:00:00 GMT'], 0],
  ['milliseconds, which are more exact', ['retry-after', '2', 'retry-after-ms', '1500'], 1_500],
  ['a negative number', ['retry-after', '-5'], null],
  ['words', ['retry-after', 'soon'], null],
  ['another date', ['retry-after', '2026-11-25T10:00:30Z'], null],
  ['nothing', ['content-type', 'text/plain'], null],
])('INT-9 an upstream asks for a pause: %s', (_what, headers, expected) => {
  expect(read(...headers)).toBe(expected);
});

test('INT-9 the pause is what the upstream asks for, else the backoff; beyond a minute there is no retry', () => {
  expect([
    pauseOf(1_000, null),
    pauseOf(1_000, 0),
    pauseOf(8_000, 2_000),
    pauseOf(1_000, RETRY_AFTER_MAX_MS),
  ]).toEqual([1_000, 1_000, 2_000, RETRY_AFTER_MAX_MS]);
  expect(pauseOf(1_000, RETRY_AFTER_MAX_MS + 1)).toBeNull();
});
