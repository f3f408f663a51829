import { expect, test } from 'vitest';
import { addSums, closedSums, firstOpenDay, type SpreadSums } from './closed-days';

const sums = (model: string, counts: readonly (readonly [number, number])[]): SpreadSums =>
  new Map([[model, new Map(counts)]]);

test.each([
  ['2026-11-23T00:59:59Z', '2026-11-22'],
  ['2026-11-23T01:00:00Z', '2026-11-23'],
])('D3 at %s days before %s are closed', (now, day) => {
  expect(firstOpenDay(new Date(now))).toBe(day);
});

test('D3 sums of several days are added by model and bucket', () => {
  const all = addSums([
    sums('a', [[1, 2]]),
    sums('a', [
      [1, 3],
      [4, 1],
    ]),
    sums('b', [[1, 1]]),
  ]);
  expect(all).toEqual(
    new Map([
      [
        'a',
        new Map([
          [1, 5],
          [4, 1],
        ]),
      ],
      ['b', new Map([[1, 1]])],
    ]),
  );
});

test('D3 a closed day is read once, a failed read is repeated, and the least recently used entry is evicted first', async () => {
  let reads = 0;
  const read = () => {
    reads += 1;
    return reads === 1
      ? Promise.reject(new Error('away'))
      : Promise.resolve(sums('a', [[reads, 1]]));
  };
  await expect(closedSums('kept', read)).rejects.toThrow('away');
  await closedSums('kept', read);
  await closedSums('kept', read);
  expect(reads).toBe(2);
  for (let n = 0; n < 299; n++) await closedSums(`other ${n}`, read);
  await closedSums('kept', read);
  expect(reads).toBe(301);
  for (let n = 0; n < 300; n++) await closedSums(`another ${n}`, read);
  await closedSums('kept', read);
  expect(reads).toBe(602);
});
