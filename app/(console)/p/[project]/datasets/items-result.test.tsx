import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ItemsChanged } from '@/app/_trpc/outputs';
import { ItemsResult } from './items-result';

const unchanged: ItemsChanged = {
  version: 3,
  isNew: false,
  items: 7,
  added: 0,
  changed: 0,
  unchanged: 2,
  removed: 0,
  duplicates: [],
  rejected: [],
};
const textOf = (result: ItemsChanged): string =>
  renderToStaticMarkup(<ItemsResult result={result} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

test('a request that changes nothing creates no version', () => {
  expect(textOf(unchanged)).toContain('No new version: 2 unchanged.');
});

test('the result has the counts, and positions from 1', () => {
  const text = textOf({
    ...unchanged,
    isNew: true,
    added: 4,
    duplicates: [{ index: 0, id: 'b', sameAs: 'a' }],
    rejected: [{ index: 1, id: null, code: 'invalid', message: '`input` is required.' }],
  });
  expect(text).toContain('Version 3: 4 added, 2 unchanged.');
  expect(text).toContain('1 duplicate, stored');
  expect(text).toContain('Item 1: same as a');
  expect(text).toContain('1 rejected');
  expect(text).toContain('Item 2: `input` is required.');
});

test('only the first 20 rejected items are listed', () => {
  const rejected = Array.from({ length: 25 }, (_, index) => ({
    index,
    id: null,
    code: 'invalid',
    message: 'bad',
  }));
  const text = textOf({ ...unchanged, rejected });
  expect(text).toContain('25 rejected');
  expect(text).toContain('Item 20: bad');
  expect(text).not.toContain('Item 21: bad');
  expect(text).toContain('5 more');
});
