import { expect, test } from 'vitest';
import { processorMs } from '../../../testing/processor-time';
import { numberInText } from './number-in-text';
import type { NumberPosition } from './label-mapping';

const after = (...words: string[]): NumberPosition => ({ after: words });

test.each<[string, NumberPosition[] | undefined, number | null]>([
  ['3', undefined, 3],
  [' 0.25 ', undefined, 0.25],
  ['-1', undefined, -1],
  ['', undefined, null],
  ['3 of 4', undefined, null],
  ['Infinity', undefined, null],
  ['1. Reads well.\n2. Wrong.\nUsefulness: 2. It is 3 lines long.', [after('usefulness')], 2],
  ['Score: 1. On second thought, SCORE 3', [after('score')], 3],
  ['Usefulness 4\nUsefulness: N/A', [after('usefulness')], 4],
  ['score: 2, usefulness: 3', [after('usefulness', 'score')], 3],
  ['usefulness: 3, score: 2', [after('usefulness', 'score')], 2],
  ['score\n4', [after('score')], null],
  [`score ${'x'.repeat(70)} 4`, [after('score')], null],
  ['İİİ score: 4', [after('score')], 4],
  ['it is -2', ['last'], -2],
  ['from 0-4', ['last'], 4],
  ['4 for gpt4', ['last'], 4],
  ['3. N/A\nUsefulness: N/A', [after('usefulness'), 'last'], 3],
  ['Usefulness: 1 of 5', [after('usefulness'), 'last'], 1],
  ['none', [after('score'), 'last'], null],
])('R-53 in %j at %j there is %s', (text, places, value) => {
  expect(numberInText(text, places)).toBe(value);
});

test('R-83 a reply of many megabytes is read in time linear in its length', {
  timeout: 60_000,
}, () => {
  const took = processorMs(() => {
    expect(numberInText('score '.repeat(500_000), [after('score'), 'last'])).toBeNull();
    expect(numberInText('1'.repeat(3_000_000), ['last'])).toBeNull();
  });
  expect(took).toBeLessThan(5_000);
});
