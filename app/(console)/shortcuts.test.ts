import { expect, test } from 'vitest';
import { shortcutsAt } from './shortcuts';

test.each([
  ['/p/ops', ['Charts', 'Everywhere']],
  ['/p/ops/verdicts', ['Verdicts', 'Everywhere']],
  ['/p/ops/verdicts/ver_1', ['Verdict', 'Everywhere']],
  ['/p/ops/gateway', ['Other lists', 'Charts', 'Everywhere']],
  ['/p/ops/gateway/calls', ['Calls', 'Everywhere']],
  ['/p/ops/gateway/sessions/s%2F1', ['Gateway session', 'Everywhere']],
  ['/p/ops/review/policy', ['Policy', 'Everywhere']],
  ['/p/ops/settings/keys', ['Everywhere']],
  ['/projects/new', ['Everywhere']],
])('on %s the help names the keys of %j, and lists the others separately', (pathname, names) => {
  const { here, otherPages } = shortcutsAt(pathname);
  expect(here.map(({ where }) => where)).toEqual(names);
  const all = [...here, ...otherPages].map(({ where }) => where);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(15);
});
