import { expect, test } from 'vitest';
import { deriveOutcome, Outcome } from './verdict';

/** api.md, Verify, "Outcomes": each native verdict of each kind. */
const outcomes: readonly (readonly [string | null, Outcome])[] = [
  ['pass', 'passed'],
  ['PASS', 'passed'],
  ['consistent', 'passed'],
  ['sourced', 'passed'],
  ['partial', 'needs_review'],
  ['fail', 'failed'],
  ['FAIL', 'failed'],
  ['RETRY', 'failed'],
  ['inconsistent', 'failed'],
  ['unsourced', 'failed'],
  ['steer', 'steered'],
  ['verifier_failed', 'inconclusive'],
  [null, 'inconclusive'],
];

test.each(outcomes)('X-5: the native verdict %s derives the outcome %s', (verdict, outcome) => {
  expect(deriveOutcome(verdict)).toBe(outcome);
});

test("X-5: native verdicts are not each other: letters and case are the system's own", () => {
  const natives = outcomes.flatMap(([verdict]) => (verdict === null ? [] : [verdict]));
  expect(new Set(natives).size).toBe(natives.length);
  for (const foreign of [
    'Pass',
    'PASSED',
    'passed',
    'failed',
    'retry',
    ' pass',
    'SOURCED',
    'ok',
    'true',
    '1',
    '',
  ]) {
    expect(deriveOutcome(foreign), foreign).toBe('inconclusive');
  }
});

test('X-5: a name that every object has is no verdict', () => {
  for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])
    expect(deriveOutcome(name)).toBe('inconclusive');
});

test('X-5: an outcome is derived of every kind but skipped, which no verdict gives', () => {
  const derived = new Set(outcomes.map(([, outcome]) => outcome));
  expect(Outcome.options.filter((outcome) => !derived.has(outcome))).toEqual(['skipped']);
});
