import { expect, test } from 'vitest';
import { paceText } from './pace';

test.each([
  [{ done: 0, total: 100, sinceMs: 1000 }, ''],
  [{ done: 500, total: 1000, sinceMs: 1000 }, ', 500 a second, 1 s left'],
  [{ done: 5, total: 1000, sinceMs: 2000 }, ', 2.5 a second, 7 min left'],
  [{ done: 500, total: null, sinceMs: 1000 }, ', 500 a second'],
  [{ done: 1000, total: 1_000_000_000, sinceMs: 1000 }, ', 1,000 a second, 278 h left'],
])('X-10 %j reads %j', (pace, text) => {
  expect(paceText(pace)).toBe(text);
});
