import { createLoader } from 'nuqs/server';
import { expect, test } from 'vitest';
import {
  type Filters,
  filterParsers,
  filterQuery,
  isFiltered,
  listInput,
  noFilters,
} from './filters';

const read = createLoader(filterParsers);

test('filters survive the round trip through the URL', () => {
  const filters: Filters = {
    text: 'chat <b> 100%',
    session: 's 1&2',
    model: 'openai/gpt-4o',
    service: 'ops/ü',
    errors: true,
    failed: true,
    from: new Date('2026-11-01T00:00:00Z'),
    to: new Date('2026-11-02T12:30:00Z'),
  };
  expect(read(new URLSearchParams(filterQuery(filters)))).toEqual(filters);
});

test('no filters: a bare URL, and nothing in the input', () => {
  expect(filterQuery(noFilters)).toBe('');
  expect(isFiltered(noFilters)).toBe(false);
  expect(listInput('demo', noFilters)).toEqual({ project: 'demo' });
  expect(listInput('demo', { ...noFilters, errors: false })).toEqual({ project: 'demo' });
});
