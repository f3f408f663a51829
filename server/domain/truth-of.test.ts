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
])('X-1 %s says of its subject: good %s', (verdict, truth) => {
  expect(truthOf(verdict)).toBe(truth);
});
