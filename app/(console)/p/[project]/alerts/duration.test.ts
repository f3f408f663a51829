import { expect, test } from 'vitest';
import { exactDuration, readDuration, roughDuration } from './duration';

test.each([
  [0, '0 s', '0 s'],
  [45, '45 s', '45 s'],
  [300, '5 min', '5 min'],
  [11_100, '3 h 5 min', '3 h 5 min'],
  [604_800, '7 d', '7 d'],
  [97_500.4, '1 d 3 h 5 min', '1 d 3 h'],
])('%d s is formatted, and parses back to the same value', (seconds, exact, rough) => {
  expect(exactDuration(seconds)).toBe(exact);
  expect(roughDuration(seconds)).toBe(rough);
  expect(readDuration(exact)).toBe(Math.round(seconds));
});

test.each([
  ['1.5h', 5400],
  ['1,5 h', 5400],
  ['90m', 5400],
  ['1 D 12 H', 129_600],
  ['2h30min', 9000],
])('“%s” is %d s', (text, seconds) => expect(readDuration(text)).toBe(seconds));

test.each(['', '5', 'min', '5 weeks', '-5 min', '5 min or so', '1..5 h', '5 min!'])(
  '“%s” is not a duration',
  (text) => expect(readDuration(text)).toBeNull(),
);
