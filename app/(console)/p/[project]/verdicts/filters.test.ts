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
    outcome: ['failed', 'inconclusive'],
    verifier: 'integrity@1',
    model: 'openai/gpt-4o',
    session: 's 1&2',
    turn: 't/ü',
    mission: 'm 7/ü&8',
    tag: 'beta, ü&1',
    prompt: 'review@3',
    experiment: 'exp_1',
    text: '91.4% <b>',
    figures: 'unsourced',
    from: new Date('2026-11-01T00:00:00Z'),
    to: new Date('2026-11-02T12:30:00Z'),
  };
  expect(read(new URLSearchParams(filterQuery(filters)))).toEqual(filters);
});

test('“no model” is a filter, and differs from an unset one', () => {
  const filters = { ...noFilters, model: '' };
  expect(read(new URLSearchParams(filterQuery(filters)))).toEqual(filters);
  expect(isFiltered(filters)).toBe(true);
  expect(listInput('demo', filters)).toEqual({ project: 'demo', model: '' });
});

test('no filters: a bare URL, and nothing in the input', () => {
  expect(filterQuery(noFilters)).toBe('');
  expect(isFiltered(noFilters)).toBe(false);
  expect(listInput('demo', noFilters)).toEqual({ project: 'demo' });
});

test('an unknown outcome is not used as a filter', () => {
  const filters = read(new URLSearchParams('outcome=failed,evil&from=never'));
  expect(filters.from).toBeNull();
  expect(filters.outcome).not.toContain('evil');
});

test('VS-45 the list of one mission', () => {
  const filters = { ...noFilters, mission: 'm-7' };
  expect(filterQuery(filters)).toBe('?mission=m-7');
  expect(isFiltered(filters)).toBe(true);
  expect(listInput('demo', filters)).toEqual({ project: 'demo', mission: 'm-7' });
});
