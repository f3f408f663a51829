import { expect, test } from 'vitest';
import { effectText, scopeText, signedCount, sourceText } from './desk-words';

test.each([
  [null, null, 'the whole project'],
  ['m', null, 'mission m'],
  ['m', 't', 'task t of mission m'],
  [null, 't', 'task t of no mission'],
])('the scope of mission %s and task %s', (missionId, taskId, text) => {
  expect(scopeText({ missionId, taskId })).toBe(text);
});

test('a value says where it comes from', () => {
  expect(sourceText({ source: 'default', set: null })).toBe('the release’s own');
  const set = { value: 0.6, missionId: null, taskId: null, version: 3, reason: null, by: 'olga', at: new Date(0) };
  expect(sourceText({ source: 'project', set })).toBe('set for the project, version 3');
});

test.each([
  [true, 'failed', 'passed', 'becomes right'],
  [true, 'passed', 'failed', 'becomes a false rejection'],
  [false, 'failed', 'passed', 'becomes a missed failure'],
  [false, 'passed', 'failed', 'becomes right'],
  [true, 'passed', 'needs_review', 'no longer right'],
  [false, 'passed', 'needs_review', 'no longer wrong'],
  [true, 'needs_review', 'steered', 'as right as before'],
  [null, 'failed', 'passed', 'nobody said'],
] as const)('X-1 a subject that is good: %o, from %s to %s, %s', (good, before, after, text) => {
  expect(effectText({ good, before: { verdict: null, outcome: before }, after: { verdict: null, outcome: after } })).toBe(text);
});

test('a change of a count has its sign', () => {
  expect([3, -2, 0, 1200, -0.5].map(signedCount)).toEqual(['+3', '−2', '0', '+1,200', '−0.5']);
});
