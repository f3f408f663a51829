import { expect, test } from 'vitest';
import { joinHead } from './page-join';

interface Row {
  readonly id: string;
  readonly ruled?: boolean;
}

const page = (ids: string, nextCursor: string | null) => ({
  items: ids.split('').map((id): Row => ({ id })),
  nextCursor,
});
const idOf = ({ id }: Row) => id;
const known = { pages: [page('cde', 'after e'), page('fgh', null)], pageParams: [null, 'after e'] };

test.each([
  ['nothing new', [page('cde', 'after e')], 'cde fgh'],
  ['two new rows', [page('abc', 'after c')], 'abcde fgh'],
  [
    'more than a page of new rows',
    [page('xyz', 'after z'), page('abc', 'after c')],
    'xyzabcde fgh',
  ],
  ['a page that is longer than the first was', [page('bcdef', 'after f')], 'bcde fgh'],
])(
  '%s: the rows are in order, each once, and the later pages continue where they did',
  (_, heads, rows) => {
    const joined = joinHead(known, heads, idOf);
    expect(joined?.pages.map(({ items }) => items.map(idOf).join('')).join(' ')).toBe(rows);
    expect(joined?.pages.map(({ nextCursor }) => nextCursor)).toEqual(['after e', null]);
    expect(joined?.pageParams).toEqual(known.pageParams);
  },
);

test('a changed row is replaced by its current version', () => {
  const joined = joinHead(
    known,
    [{ items: [{ id: 'c', ruled: true }], nextCursor: 'after c' }],
    idOf,
  );
  expect(joined?.pages[0]?.items[0]).toEqual({ id: 'c', ruled: true });
});

test('new rows that do not reach the known ones are not joined to them: some would be missing in between', () => {
  expect(joinHead(known, [page('xyz', 'after z')], idOf)).toBeNull();
  expect(joinHead({ pages: [], pageParams: [] }, [page('a', null)], idOf)).toBeNull();
});
