import { expect, test } from 'vitest';
import { scoreText, waitText } from './spread-words';

test.each([
  [0.4, '0 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [59_940, '59.9 s'],
  [90_000, '1.5 min'],
  [5_400_000, '1.5 h'],
])('%d ms reads %s', (ms, text) => {
  expect(waitText(ms)).toBe(text);
});

test.each([
  [0.8749, '0.87'],
  [0, '0.00'],
  [92.4, '92'],
  [-12.6, '-13'],
])('a score of %d reads %s', (score, text) => {
  expect(scoreText(score)).toBe(text);
});
