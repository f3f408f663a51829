import { describe, expect, test } from 'vitest';
import { createRandom } from '../testing/seed';
import { createBatchSize } from './batch-size';

const options = { min: 8, max: 500, first: 50, rowsMs: 25 };

/**
 * Sizes of the last 40 of 100 batches, each taking `cost` milliseconds, plus or minus `noise` of
 * it.
 */
function settled(cost: (rows: number) => number, noise = 0): number[] {
  const random = createRandom('batch sizes');
  const size = createBatchSize(options);
  const sizes: number[] = [];
  for (let batch = 0; batch < 100; batch++) {
    const rows = size.next();
    sizes.push(rows);
    size.note(rows, cost(rows) * (1 + (random.between(0, 1_000) / 500 - 1) * noise));
  }
  return sizes.slice(-40);
}

describe('Q1 Q4 batch size', () => {
  test.each([
    { name: 'a quick disk', fixed: 1, row: 0.25, low: 60, high: 150 },
    { name: 'a disk that takes as long as all the rows', fixed: 25, row: 0.25, low: 35, high: 200 },
    {
      name: 'a disk that takes much longer than the rows',
      fixed: 200,
      row: 0.25,
      low: 35,
      high: 500,
    },
    { name: 'rows that take long', fixed: 5, row: 20, low: 8, high: 8 },
    { name: 'rows that take next to nothing', fixed: 3, row: 0.001, low: 500, high: 500 },
  ])('with $name', ({ fixed, row, low, high }) => {
    for (const noise of [0, 0.2]) {
      const sizes = settled((rows) => fixed + rows * row, noise).toSorted((a, b) => a - b);
      expect(sizes[20]).toBeGreaterThanOrEqual(low);
      expect(sizes[20]).toBeLessThanOrEqual(high);
    }
  });

  test('when rows suddenly take longer, batches shrink within a few batches', () => {
    const size = createBatchSize(options);
    for (let batch = 0; batch < 50; batch++) size.note(size.next(), 3 + size.next() * 0.1);
    const before = size.next();
    for (let batch = 0; batch < 6; batch++) size.note(size.next(), 3 + size.next() * 5);
    expect(before).toBeGreaterThan(150);
    expect(size.next()).toBeLessThan(20);
  });

  test('R-33 one batch that waited for a new connection does not make the next ones smaller', () => {
    const size = createBatchSize(options);
    for (let batch = 0; batch < 50; batch++) size.note(size.next(), 3 + size.next() * 0.1);
    const before = size.next();
    size.note(before, 5_000);
    expect(size.next()).toBe(before);
    size.note(before, 3 + before * 0.1);
    expect(size.next()).toBeGreaterThan(before / 2);
  });

  test('a partial batch does not make the next one larger', () => {
    const size = createBatchSize(options);
    for (let batch = 0; batch < 20; batch++) size.note(1, 2);
    expect(size.next()).toBe(50);
  });
});
