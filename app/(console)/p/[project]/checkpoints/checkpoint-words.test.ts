import { expect, test } from 'vitest';
import { attemptStatus, nextText, stateText, worstOf } from './checkpoint-words';

const none = { steps: 1, attempts: 1, pass: 0, retry: 0, fail: 0, undecided: 0, pending: 0 };

test.each([
  ['PASS', 'settled', 'passed', 'passed PASS'],
  ['RETRY', 'settled', 'failed', 'needs_review RETRY'],
  ['FAIL', 'settled', 'failed', 'failed FAIL'],
  [null, 'settled', 'inconclusive', 'inconclusive Inconclusive'],
  [null, 'settled', 'skipped', 'skipped Skipped'],
  [null, 'pending', null, 'pending Pending'],
  [null, 'quarantined', null, 'inconclusive Quarantined'],
] as const)('X-3 a verdict of %s, %s and %s, looks like %s', (verdict, state, outcome, wanted) => {
  const status = attemptStatus({ verdict, state, outcome });
  expect(`${status.state} ${status.word}`).toBe(wanted);
});

test.each([
  [{ pass: 1 }, 'PASS'],
  [{ pass: 1, attempts: 3 }, 'PASS, 3 attempts'],
  [{ retry: 1 }, 'RETRY'],
  [{ undecided: 1, attempts: 2 }, 'Inconclusive, 2 attempts'],
  [{ pending: 1 }, 'Pending'],
  [{ steps: 4, attempts: 6, pass: 3, fail: 1 }, '3 of 4 PASS, 6 attempts'],
  [{ steps: 2, attempts: 2, pass: 2 }, '2 of 2 PASS'],
])('SOAR-32 a checkpoint of %j reads %s', (counts, text) => {
  expect(stateText({ ...none, ...counts })).toBe(text);
});

test('SOAR-18 the mark is that of the step that needs attention first', () => {
  const all = { ...none, steps: 5, pass: 1, retry: 1, fail: 1, undecided: 1, pending: 1 };
  expect(worstOf(all).state).toBe('failed');
  expect(worstOf({ ...all, fail: 0 }).state).toBe('inconclusive');
  expect(worstOf({ ...all, fail: 0, undecided: 0 }).state).toBe('needs_review');
  expect(worstOf({ ...none, pass: 1, pending: 1 }).state).toBe('passed');
});

test('SOAR-18 the next step names the agent to call', () => {
  expect(nextText('retry_other_agent', 'web')).toBe('Another agent is called: web.');
  expect(nextText('abort_query', null)).toContain('critical');
  expect([nextText(null, null), nextText('unheard_of', null)]).toEqual([null, 'unheard_of']);
});
