import { expect, test } from 'vitest';
import { costText, countText, durationText } from './amounts';

test.each([
  [0, '0 ms'],
  [0.42, '0.42 ms'],
  [12.4, '12 ms'],
  [1250, '1.25 s'],
  [185_000, '3 min 5 s'],
  [7_260_000, '2 h 1 min'],
])('a duration of %d ms reads %s', (ms, text) => expect(durationText(ms)).toBe(text));

test.each([
  [950, '950'],
  [12_400, '12.4k'],
  [3_200_000, '3.2M'],
])('%d reads %s', (count, text) => expect(countText(count)).toBe(text));

test.each([
  [0, '$0'],
  [0.00001, '<$0.0001'],
  [0.0012, '$0.0012'],
  [1.2, '$1.20'],
])('%d dollars read %s', (usd, text) => expect(costText(usd)).toBe(text));
