import jstat from 'jstat';
import { expect, test } from 'vitest';
import {
  betaLower,
  betaQuantile,
  binomialTerm,
  gammaUpper,
  logGamma,
  normalLower,
  normalQuantile,
  studentTwoSidedQuantile,
} from './distributions';

const { jStat } = jstat;
const near = (value: number, other: number): void =>
  expect(Math.abs(value - other)).toBeLessThan(1e-9);

/** jStat stops its continued fraction at 3e-7. */
const asJstat = (value: number, other: number): void =>
  expect(Math.abs(value - other)).toBeLessThan(3e-7);

test('calibration.md 5.1 the incomplete beta equals jStat’s within jStat’s accuracy, and its closed forms to 1e-9', () => {
  for (const a of [0.5, 1, 2, 8, 43, 135.5, 900]) {
    for (const b of [0.5, 1, 3, 9, 151, 2000]) {
      for (const x of [0, 1e-6, 0.01, 0.2, 0.5, 0.85, 0.999, 1])
        asJstat(betaLower(x, a, b), jStat.beta.cdf(x, a, b));
      for (const share of [0.001, 0.025, 0.5, 0.975])
        near(betaLower(betaQuantile(share, a, b), a, b), share);
    }
  }
  for (const x of [0.001, 0.03, 0.4, 0.71, 0.99]) {
    near(betaLower(x, 0.5, 0.5), (2 / Math.PI) * Math.asin(Math.sqrt(x)));
    near(betaLower(x, 7.5, 1), x ** 7.5);
    near(betaLower(x, 1, 0.3), 1 - (1 - x) ** 0.3);
    // Integers: the upper tail of a binomial, summed.
    let tail = 0;
    for (let k = 43; k <= 193; k++) tail += jStat.binomial.pdf(k, 193, x);
    near(betaLower(x, 43, 151), tail);
  }
  asJstat(betaQuantile(0.025, 42, 9), jStat.beta.inv(0.025, 42, 9));
  expect(betaQuantile(0, 2, 3)).toBe(0);
  expect(betaQuantile(1, 2, 3)).toBe(1);
});

test('calibration.md 5.7 gamma, normal and Student equal those of jStat, to 1e-9', () => {
  for (const a of [0.1, 0.5, 1, 2.5, 10, 170.5, 4000])
    near(
      logGamma(a) / Math.max(1, Math.abs(logGamma(a))),
      jStat.gammaln(a) / Math.max(1, Math.abs(logGamma(a))),
    );
  for (const df of [1, 2, 3, 7, 30, 200]) {
    for (const x of [0, 0.01, 0.5, 1, 4, 10, 60, 300])
      near(gammaUpper(df / 2, x), 1 - jStat.lowRegGamma(df / 2, x));
    asJstat(jStat.studentt.cdf(studentTwoSidedQuantile(0.05, df), df), 0.975);
  }
  expect(normalLower(0)).toBe(0.5);
  for (let x = -8; x <= 8; x += 0.37) near(normalLower(x), jStat.normal.cdf(x, 0, 1));
  for (const p of [1e-9, 1e-4, 0.02, 0.025, 0.3, 0.5, 0.7, 0.975, 0.999_99])
    near(normalLower(normalQuantile(p)), p);
  for (const p of [0.001, 0.02, 0.3, 0.6, 0.975])
    near(normalQuantile(p), jStat.normal.inv(p, 0, 1));
});

test('calibration.md 5.1 the quantile of 97.5 % is the z of all intervals, and the ends are infinite', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 13);
  expect(normalQuantile(0)).toBe(Number.NEGATIVE_INFINITY);
  expect(normalQuantile(1)).toBe(Number.POSITIVE_INFINITY);
});

test('calibration.md 5.8 binomial terms equal those of jStat, sum to 1, and do not underflow for large n', () => {
  for (const [n, share] of [
    [10, 0.5],
    [50, 0.2],
    [500, 0.07],
  ] as const) {
    let sum = 0;
    for (let k = 0; k <= n; k++) {
      near(binomialTerm(k, n, share), jStat.binomial.pdf(k, n, share));
      sum += binomialTerm(k, n, share);
    }
    near(sum, 1);
  }
  expect(binomialTerm(1500, 3000, 0.5)).toBeCloseTo(0.014_566, 6);
  expect(binomialTerm(0, 3, 0)).toBe(1);
  expect(binomialTerm(3, 3, 1)).toBe(1);
});
