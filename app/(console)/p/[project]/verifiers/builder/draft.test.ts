import { expect, test } from 'vitest';
import { verifierStarters } from '@/server/catalog/input';
import { freeSlug, placeFaults, rangeOfLine, readDraft, slugOf, textOf } from './draft';

const text = `slug: mine
kind: checks
checks:
  - check: pii
  - check: latency_ms
    max: fast
mapping:
  a: $.outptu
`;

test('a draft is read, and a text that is no YAML object has its fault at its line', () => {
  expect(readDraft(text)).toMatchObject({ definition: { kind: 'checks' }, faults: [] });
  expect(slugOf(readDraft(text))).toBe('mine');
  expect(readDraft('a: b\nc: [1').faults[0]?.line).toBe(2);
  for (const other of ['', '- a', 'text'])
    expect(readDraft(other)).toMatchObject({ definition: null, faults: [{ line: null }] });
  expect(slugOf(readDraft('slug: 1'))).toBeNull();
});

test.each([
  ['checks[1].max', 6],
  ['checks.1.max', 6],
  ['checks[1].weight', 5],
  ['mapping.a', 8],
  ['definition.kind', 2],
  ['judge', null],
])('an error at %s is shown at line %s', (path, line) => {
  expect(placeFaults(text, { [path]: 'is wrong' })).toEqual([
    { line, message: `${path}: is wrong` },
  ]);
});

test('starters survive the editor', () => {
  for (const { slug, definition } of verifierStarters)
    expect(readDraft(textOf(slug, definition)).definition).toEqual({ slug, ...definition });
});

test('a slug that is taken gets a number', () => {
  expect(freeSlug('a', [])).toBe('a');
  expect(freeSlug('a', ['a', 'a-2'])).toBe('a-3');
});

test('the positions of a line', () => {
  expect(text.slice(...rangeOfLine(text, 2))).toBe('kind: checks');
  expect('a\nb'.slice(...rangeOfLine('a\nb', 2))).toBe('b');
});
