import { expect, test } from 'vitest';
import { afterOutcome, type Breaker, closedBreaker, permissionOf } from './breaker';

const limits = { maxFailures: 5, cooldownMs: 300_000 };
const begun = { state: 'closed', probe: null } as const;
const fail = { ok: false, problem: 'unreadable', permit: begun };
const pass = { ok: true, problem: null, permit: begun };
const probing = (since: number) => ({ state: 'probe', probe: since }) as const;
const failing = (times: number, at = 0, given = limits): Breaker =>
  Array.from({ length: times }, () => fail).reduce(
    (breaker, outcome) => afterOutcome(breaker, at, given, outcome),
    closedBreaker,
  );

test('QV-33 opens at the fifth failure in a row, for 300 s', () => {
  expect(permissionOf(failing(4), 0)).toBe('closed');
  const open = failing(5);
  expect(open).toMatchObject({ failures: 5, openUntil: 300_000, problem: 'unreadable' });
  expect(permissionOf(open, 299_999)).toBe('open');
  expect(permissionOf(open, 300_000)).toBe('probe');
});

test('QV-33 a success in between resets the count', () => {
  const breaker = afterOutcome(afterOutcome(failing(4), 0, limits, pass), 0, limits, fail);
  expect(breaker).toMatchObject({ failures: 1, openUntil: null });
});

test.each([0, -3, 1])('QV-33 a threshold of %d is 1', (maxFailures) => {
  expect(permissionOf(failing(1, 0, { ...limits, maxFailures }), 0)).toBe('open');
});

test.each([0, -5])('QV-33 a cooldown of %d ms: the next call probes', (cooldownMs) => {
  expect(permissionOf(failing(5, 10, { ...limits, cooldownMs }), 10)).toBe('probe');
});

test('QV-34 one call probes at a time; its failure opens the circuit again at once, its success closes it', () => {
  const open = failing(5);
  const tried = { ...open, probingSince: 300_000 };
  expect(permissionOf(tried, 300_001)).toBe('open');
  const again = afterOutcome(tried, 301_000, limits, { ...fail, permit: probing(300_000) });
  expect(again).toMatchObject({ failures: 6, openUntil: 601_000, probingSince: null });
  expect(afterOutcome(tried, 301_000, limits, pass)).toEqual(closedBreaker);
});

test('QV-34 a probe that never ended expires', () => {
  expect(permissionOf({ ...failing(5), probingSince: 300_000 }, 300_000 + 120_000)).toBe('probe');
});

test.each([
  ['begun before it opened', begun],
  ['that probed and was given up', probing(200_000)],
])(
  'QV-34 the failure of a verification %s neither ends the probe of another nor extends the cooldown',
  (_, permit) => {
    const tried = { ...failing(5), probingSince: 330_000 };
    const after = afterOutcome(tried, 331_000, limits, { ...fail, permit });
    expect(after).toMatchObject({ failures: 6, openUntil: 300_000, probingSince: 330_000 });
    expect(permissionOf(after, 331_000)).toBe('open');
  },
);

test('a verification started before the circuit opened does not extend the cooldown', () => {
  expect(afterOutcome(failing(5), 1000, limits, fail)).toMatchObject({
    failures: 6,
    openUntil: 300_000,
  });
});
