import { expect, test } from 'vitest';
import { truthOf } from './truth-of';

test.each([
  ['sourced', true],
  ['RETRY', false],
  ['unsourced', false],
  ['partial', null],
  ['steer', null],
  ['no such word', null],
  [null, null],
])('X-1 the verdict %s means that its subject is good: %s', (verdict, truth) => {
  expect(truthOf(verdict)).toBe(truth);
});
