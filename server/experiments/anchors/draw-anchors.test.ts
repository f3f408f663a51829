import { describe, expect, test } from 'vitest';
import { type AnchorItem, fingerprintOf, halves } from './draw-anchors';

describe('half bad and half good if possible', () => {
  test.each([
    { good: 100, bad: 100, items: 50, taken: [25, 25] },
    { good: 100, bad: 100, items: 51, taken: [25, 26] },
    { good: 100, bad: 3, items: 50, taken: [47, 3] },
    { good: 3, bad: 100, items: 50, taken: [3, 47] },
    { good: 4, bad: 5, items: 50, taken: [4, 5] },
    { good: 0, bad: 20, items: 10, taken: [0, 10] },
    { good: 20, bad: 0, items: 10, taken: [10, 0] },
    { good: 0, bad: 0, items: 10, taken: [0, 0] },
  ])('$good good and $bad bad for $items', ({ good, bad, items, taken }) => {
    const { goodItems, badItems } = halves(good, bad, items);
    expect([goodItems, badItems]).toEqual(taken);
  });
});

describe('the fingerprint', () => {
  const item = (id: string, change: Partial<AnchorItem> = {}): AnchorItem => ({
    subjectKind: 'turn',
    subjectId: id,
    revision: 1,
    contentHash: 'h',
    excerpt: '',
    good: true,
    policy: 0,
    ...change,
  });
  const base = [item('a'), item('b')];
  test('is the same for the same items in any order', () =>
    expect(fingerprintOf([item('b'), item('a')])).toBe(fingerprintOf(base)));
  test.each<[string, readonly AnchorItem[]]>([
    ['another subject', [item('a'), item('c')]],
    ['another kind of subject', [item('a'), item('b', { subjectKind: 'task' })]],
    ['other content', [item('a'), item('b', { contentHash: 'i' })]],
    ['another truth', [item('a'), item('b', { good: false })]],
    ['one item fewer', [item('a')]],
  ])('differs for %s', (_what, items) =>
    expect(fingerprintOf(items)).not.toBe(fingerprintOf(base)),
  );
});
