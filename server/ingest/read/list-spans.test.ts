import { expect, test } from 'vitest';
import { buildTree } from '../assembly/span-tree';
import { layOut } from './list-spans';
import { mergeSpans } from '../assembly/merge-spans';
import { type SpanSketch, sketchSpan } from '../span-fixture';

function laidOut(sketches: readonly SpanSketch[]) {
  return layOut(buildTree(mergeSpans(sketches.map(sketchSpan)).spans));
}

const outline = (sketches: readonly SpanSketch[]) =>
  laidOut(sketches).rows.map(({ name, depth }) => `${depth} ${name}`);

test.each<[string, SpanSketch[], string[]]>([
  [
    'children follow their parent by start, one deeper',
    [
      { id: 1, name: 'root', from: 0 },
      { id: 2, parent: 1, name: 'late', from: 50 },
      { id: 3, parent: 1, name: 'early', from: 10 },
      { id: 4, parent: 3, name: 'inner', from: 60 },
    ],
    ['0 root', '1 early', '2 inner', '1 late'],
  ],
  [
    'a parent that has not come: its children are on top',
    [
      { id: 1, name: 'root', from: 0 },
      { id: 2, parent: 99, name: 'orphan', from: 5 },
    ],
    ['0 root', '0 orphan'],
  ],
  [
    'a circle is opened at its first span, and every span is listed once',
    [
      { id: 1, parent: 2, name: 'a', from: 0 },
      { id: 2, parent: 1, name: 'b', from: 5 },
      { id: 3, parent: 3, name: 'self', from: 9 },
    ],
    ['0 self', '0 a', '1 b'],
  ],
])('R-73: %s', (_name, sketches, expected) => {
  expect(outline(sketches).toSorted()).toEqual(expected.toSorted());
  expect(outline(sketches.toReversed())).toEqual(outline(sketches));
});

test('times count from the first start; a span without an end is open, and an end before its start is ignored', () => {
  const { rows, durationMs } = laidOut([
    { id: 1, from: 100, to: 400 },
    { id: 2, parent: 1, from: 150, to: 120 },
    { id: 3, parent: 1, from: 380, to: 500 },
  ]);
  expect(rows.map(({ startMs, durationMs: ms }) => [startMs, ms])).toEqual([
    [0, 300],
    [50, null],
    [280, 120],
  ]);
  expect(durationMs).toBe(400);
});
