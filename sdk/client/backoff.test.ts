import { describe, expect, test } from 'vitest';
import { backoff, isRetryable, readRetryAfter } from './backoff';

const now = Date.parse('2026-01-01T00:00:00Z');

describe('R-2 the client waits as long as the server asks', () => {
  test.each([
    [null, null],
    ['0', 0],
    ['3', 3000],
    [' 1.5 ', 1500],
    ['1000000000', 300_000],
    ['-5', null],
    ['abc', null],
    ['', null],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ])('Retry-After %j is %j ms', (value, ms) => expect(readRetryAfter(value, now)).toBe(ms));

  test('pauses double up to their limit, half of each is random, and none is shorter than the server asked for', () => {
    const limits = { backoffMs: 200, maxBackoffMs: 15_000 };
    expect([1, 2, 3, 7, 8, 1000].map((attempt) => backoff(attempt, limits, null, 1))).toEqual([
      200, 400, 800, 12_800, 15_000, 15_000,
    ]);
    expect(backoff(1, limits, null, 0)).toBe(100);
    expect(backoff(1, limits, 5000, 0.5)).toBe(5000);
  });
});

test('exactly 429, 502, 503 and 504 are sent again', () => {
  const again = Array.from({ length: 500 }, (_, at) => at + 100).filter(isRetryable);
  expect(again).toEqual([429, 502, 503, 504]);
});
