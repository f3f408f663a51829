import { expect, test } from 'vitest';
import { isLargeRead } from './with-api-key';

test.each([
  ['/v1/verifications', false],
  ['/v1/verifications?limit=50', false],
  ['/v1/verifications?limit=51', true],
  ['/api/v1/verifications?mission_id=m-7&limit=200', true],
  ['/v1/verifications?limit=many', false],
  ['/v1/traces?limit=20', false],
  ['/v1/traces/4bf92f3577b34da6', true],
  ['/v1/datasets?limit=20', false],
  ['/v1/datasets/refunds/versions', false],
  ['/v1/datasets/refunds/versions/3/items', true],
  ['/v1/datasets/refunds/diff?from=1&to=2', true],
])('R-104 whether %s is read by a pool thread: %s', (path, expected) => {
  expect(isLargeRead(new URL(path, 'http://localhost'))).toBe(expected);
});
