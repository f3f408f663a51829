import { expect, test } from 'vitest';
import { renderedRows, renderedWholeMax, nearRows } from './row-ranges';

const screen = { height: 900, rowHeight: 32 };

test.each([
  ['at the head', 100_000, 300, { from: 0, to: 64 }],
  ['in the middle', 100_000, -1_600_000, { from: 49_968, to: 50_064 }],
  ['at the very end', 100_000, 900 - 3_200_000, { from: 99_936, to: 100_000 }],
  ['scrolled past by a page that is longer below', 1000, -64_000, { from: 1000, to: 1000 }],
  ['below the visible part', 1000, 5000, { from: 0, to: 0 }],
])('near the visible part %s', (_, count, top, near) => {
  expect(nearRows(count, { top, ...screen })).toEqual(near);
});

test('every visible row is near, wherever the list is scrolled to', () => {
  const count = 5000;
  for (let top = 400; top > -count * 32; top -= 777) {
    const { from, to } = nearRows(count, { top, ...screen });
    expect(from).toBeLessThanOrEqual(Math.max(0, Math.floor(-top / 32)));
    expect(to).toBeGreaterThanOrEqual(Math.min(count, Math.ceil((900 - top) / 32)));
    expect(to - from).toBeLessThan(150);
  }
});

test.each([
  [
    'a short list whole',
    renderedWholeMax,
    { from: 0, to: 64 },
    null,
    [{ from: 0, to: renderedWholeMax }],
  ],
  ['a long one where it is seen', 1000, { from: 96, to: 208 }, null, [{ from: 96, to: 208 }]],
  [
    'the row with the focus above it',
    1000,
    { from: 96, to: 208 },
    3,
    [
      { from: 2, to: 5 },
      { from: 96, to: 208 },
    ],
  ],
  [
    'the row with the focus below it',
    1000,
    { from: 96, to: 208 },
    999,
    [
      { from: 96, to: 208 },
      { from: 998, to: 1000 },
    ],
  ],
  ['the row with the focus at its edge', 1000, { from: 96, to: 208 }, 208, [{ from: 96, to: 210 }]],
  ['the row with the focus in it', 1000, { from: 96, to: 208 }, 100, [{ from: 96, to: 208 }]],
  ['no removed row', 300, { from: 96, to: 400 }, 300, [{ from: 96, to: 300 }]],
])('rendered rows are %s', (_, count, near, held, drawn) => {
  expect(renderedRows(count, near, held)).toEqual(drawn);
});
