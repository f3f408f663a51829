import { expect, test } from 'vitest';
import { needsStep } from './people-panel';

const failed = { state: 'settled', outcome: 'failed', verdict: 'unsourced' } as const;
const ruled = { verdict: 'sourced', outcome: 'passed', rater: 'ana' } as const;

test('an action is offered on work that did not pass', () => {
  expect(needsStep(failed, null)).toBe(true);
  expect(needsStep({ ...failed, outcome: 'passed', verdict: 'sourced' }, null)).toBe(false);
  expect(needsStep({ ...failed, state: 'pending', outcome: null, verdict: null }, null)).toBe(
    false,
  );
});

test('an overruled verdict is not sent back; one that a person confirmed is', () => {
  expect(needsStep(failed, ruled)).toBe(false);
  expect(needsStep(failed, { ...ruled, verdict: 'unsourced', outcome: 'failed' })).toBe(true);
});
