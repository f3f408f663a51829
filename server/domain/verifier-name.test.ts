import { expect, it } from 'vitest';
import { readVerifierName, seriesOf } from './verifier-name';

it.each([
  ['integrity', { slug: 'integrity', version: null, self: false }],
  ['integrity@3', { slug: 'integrity', version: 3, self: false }],
  ['decomposition:self', { slug: 'decomposition', version: null, self: true }],
  ['decomposition:self@12', { slug: 'decomposition', version: 12, self: true }],
  ['a@b', { slug: 'a@b', version: null, self: false }],
  ['', { slug: '', version: null, self: false }],
])('X-2 the name %j is read', (name, read) => {
  expect(readVerifierName(name)).toEqual(read);
  expect(`${seriesOf(read)}${read.version === null ? '' : `@${read.version}`}`).toBe(name);
});
