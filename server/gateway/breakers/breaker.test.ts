import { expect, test } from 'vitest';
import { afterOutcome, type Breaker, closedBreaker, permissionOf } from './breaker';

const limits = { maxFailures: 5, cooldownMs: 300_000 };
const fail = { ok: false, problem: 'unreadable' };
const pass = { ok: true, problem: null };
const failing = (times: number, at = 0, given = limits): Breaker =>
  Array.from({ length: times }, () => fail).reduce((breaker, outcome) => afterOutcome(breaker, at, given, outcome), closedBreaker);

test('QV-33 opens at the fifth failure in a row, for 300 s', () => {
  expect(permissionOf(failing(4), 0)).toBe('closed');
  const open = failing(5);
  expect(open).toMatchObject({ failures: 5, openUntil: 300_000, problem: 'unreadable' });
  expect(permissionOf(open, 299_999)).toBe('open');
  expect(permissionOf(open, 300_000)).toBe('probe');
});

test('QV-33 a success in between begins the row anew', () => {
  const breaker = afterOutcome(afterOutcome(failing(4), 0, limits, pass), 0, limits, fail);
  expect(breaker).toMatchObject({ failures: 1, openUntil: null });
});

test.each([0, -3, 1])('QV-33 a threshold of %d is 1', (maxFailures) => {
  expect(permissionOf(failing(1, 0, { ...limits, maxFailures }), 0)).toBe('open');
});

test.each([0, -5])('QV-33 a cooldown of %d ms: the next call probes', (cooldownMs) => {
  expect(permissionOf(failing(5, 10, { ...limits, cooldownMs }), 10)).toBe('probe');
});

test('QV-34 one call probes at a time; its failure opens again at once, its success clears', () => {
  const open = failing(5);
  const probing = { ...open, probingSince: 300_000 };
  expect(permissionOf(probing, 300_001)).toBe('open');
  const again = afterOutcome(probing, 301_000, limits, fail);
  expect(again).toMatchObject({ failures: 6, openUntil: 601_000, probingSince: null });
  expect(afterOutcome(probing, 301_000, limits, pass)).toEqual(closedBreaker);
});

test('QV-34 a probe that never ended is given up', () => {
  expect(permissionOf({ ...failing(5), probingSince: 300_000 }, 300_000 + 120_000)).toBe('probe');
});

test('an episode begun before it opened does not make it stay open longer', () => {
  expect(afterOutcome(failing(5), 1000, limits, fail)).toMatchObject({ failures: 6, openUntil: 300_000 });
});
