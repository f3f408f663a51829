import { expect, test } from 'vitest';
import { daysSuffice } from './measure-verifier';

test.each([
  [[], true],
  [[20], true],
  [[19], false],
  [[20, 3], true],
  [[20, 3, 19], false],
  [[3, 40, 20], true],
])('of days with %j labels it is %s that half have 20', (labels, wanted) => {
  expect(daysSuffice(labels)).toBe(wanted);
});
