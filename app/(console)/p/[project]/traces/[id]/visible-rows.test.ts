import { expect, test } from 'vitest';
import { foldedAtFirst, hasChildren, parentOf, expandTo, visibleRows } from './visible-rows';

const tree = [
  ['a', 0],
  ['b', 1],
  ['c', 2],
  ['d', 2],
  ['e', 1],
  ['f', 0],
  ['g', 1],
].map(([id, depth]) => ({ id: String(id), depth: Number(depth) }));

const shown = (folded: readonly string[]) =>
  visibleRows(tree, new Set(folded))
    .map((index) => tree[index]?.id)
    .join('');

test.each([
  [[], 'abcdefg'],
  [['b'], 'abefg'],
  [['a'], 'afg'],
  [['a', 'b'], 'afg'],
  [['a', 'f'], 'af'],
])('collapsed %j shows %s', (folded, ids) => expect(shown(folded)).toBe(ids));

test('a row knows its parent and whether it has children', () => {
  expect(tree.map((_, index) => parentOf(tree, index))).toEqual([null, 0, 1, 1, 0, null, 5]);
  expect(tree.map((_, index) => hasChildren(tree, index))).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    false,
  ]);
});

test('a small tree is expanded; a large one is collapsed where it would become too long', () => {
  expect([...foldedAtFirst(tree)]).toEqual([]);
  expect([...foldedAtFirst(tree, 5)]).toEqual(['b']);
  expect([...foldedAtFirst(tree, 2)]).toEqual(['a', 'b', 'f']);
});

test('going to a row expands its ancestors, and nothing else', () => {
  expect([...expandTo(tree, new Set(['a', 'b', 'f']), 3)]).toEqual(['f']);
  const folded = new Set(['f']);
  expect(expandTo(tree, folded, 3)).toBe(folded);
});

test('R-5: 20,000 spans are collapsed and laid out in a moment, deep or wide', () => {
  for (const rows of [
    Array.from({ length: 20_000 }, (_, depth) => ({ id: `${depth}`, depth })),
    Array.from({ length: 20_000 }, (_, at) => ({ id: `${at}`, depth: at === 0 ? 0 : 1 })),
  ]) {
    const folded = foldedAtFirst(rows);
    expect(visibleRows(rows, folded).length).toBeLessThanOrEqual(500);
    expect(visibleRows(rows, expandTo(rows, folded, 19_999)).length).toBeGreaterThan(500);
  }
});
