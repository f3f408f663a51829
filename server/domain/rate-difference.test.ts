import { expect, test } from 'vitest';
import { rateDifference } from './rate-difference';

const share = (numerator: number, denominator: number) => ({ numerator, denominator });

// The first of Newcombe 1998, table II; at the ends √2·z²/(n+z²) on either side.
test.each([
  [share(56, 70), share(48, 80), 0.2, 0.0524, 0.3339],
  [share(0, 20), share(0, 20), 0, -0.1611, 0.1611],
  [share(20, 20), share(0, 20), 1, 0.7721, 1],
])('the difference of %o and %o is %d (%d to %d)', (one, other, value, low, high) => {
  const difference = rateDifference(one, other);
  expect(difference?.value).toBeCloseTo(value, 4);
  expect(difference?.low).toBeCloseTo(low, 4);
  expect(difference?.high).toBeCloseTo(high, 4);
});

test('X-12 no difference is reported for fewer than 20', () => {
  expect(rateDifference(share(9, 10), share(30, 60))).toBeNull();
  expect(rateDifference(share(30, 60), share(3, 19))).toBeNull();
  expect(rateDifference(share(30, 60), share(0, 0))).toBeNull();
});
