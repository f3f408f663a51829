import { expect, test } from 'vitest';
import { inVersion, reportInput, rowsHref, rowsInput, verifierHref } from './addresses';

const about = {
  project: 'ops',
  verifier: 'task@3',
  origin: 'verifier' as const,
  judge: 'a/b',
  policy: 0,
  by: 'model' as const,
  of: 'm:1 & <b>',
};

test("a page's subject is in the URL of its rows, and in the query input", () => {
  const href = rowsHref(about, 'caught', { from: null });
  expect(Object.fromEntries(new URL(href, 'http://x').searchParams)).toEqual({
    verifier: 'task@3',
    judge: 'a/b',
    policy: '0',
    by: 'model',
    of: 'm:1 & <b>',
    cell: 'caught',
  });
  expect(reportInput(about, 30)).toEqual({
    project: 'ops',
    verifier: 'task@3',
    origin: 'verifier',
    days: 30,
    judge: 'a/b',
    policy: 0,
    slice: { by: 'model', value: 'm:1 & <b>' },
  });
  expect(rowsInput('ops', { ...about, cell: 'good', from: null, to: null })).toMatchObject({
    policy: 0,
    slice: { by: 'model', value: 'm:1 & <b>' },
  });
});

test('an unset choice is absent from the input, not null', () => {
  const all = { project: 'ops', verifier: 'task', origin: 'verifier' as const };
  expect(reportInput(all, 7)).toEqual({ ...all, days: 7 });
  expect(verifierHref(all, 7)).toBe('/p/ops/calibration/verifier?verifier=task&days=7');
  expect(verifierHref(all, 7, 'cost')).toBe(`${verifierHref(all, 7)}&tab=cost`);
});

test.each([
  ['task', 3, 'task@3'],
  ['task@1', null, 'task'],
  ['decomposition:self@1', 2, 'decomposition:self@2'],
])('X-2 %s in version %s is %s', (verifier, version, wanted) => {
  expect(inVersion(verifier, version)).toBe(wanted);
});
