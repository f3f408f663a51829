import { expect, test } from 'vitest';
import { createProgressBar, describeProgress } from './progress-bar';
import type { Terminal } from './terminal';

test.each([
  [0, 0, 0, '0 rows, 0%, 0 rows/s'],
  [0.5, 1200, 4000, '1,200 rows, 50%, 300 rows/s, 4 s left'],
  [0.999, 5000, 1000, '5,000 rows, 99%, 5,000 rows/s, 1 s left'],
  [0.1, 10, 60_000, '10 rows, 10%, 0 rows/s, 9 min left'],
])('%d of the file, %i rows, %i ms: %s', (fraction, rows, ms, text) =>
  expect(describeProgress(fraction, rows, ms)).toBe(text),
);

function show(more: Partial<Terminal>): string[] {
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  let now = 0;
  const bar = createProgressBar(
    { json: false, isScreen: false, columns: 80, out: note, err: note, status: note, ...more },
    'a.csv',
    () => now,
  );
  for (now = 0; now <= 20_000; now += 4000) bar.show(now / 20_000, now);
  return lines;
}

test('a bar on a terminal, a line now and then otherwise, nothing between lines of JSON', () => {
  expect(show({ isScreen: true })).toHaveLength(6);
  expect(show({ isScreen: true })[3]).toMatch(
    /^a\.csv █+░+ 12,000 rows, 60%, 1,000 rows\/s, 8 s left$/,
  );
  expect(show({})).toEqual(['a.csv 12,000 rows, 60%, 1,000 rows/s, 8 s left']);
  expect(show({ json: true })).toEqual([]);
});
