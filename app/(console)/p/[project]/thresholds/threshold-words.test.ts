import { expect, test } from 'vitest';
import type { Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import {
  conflictText,
  effectText,
  refusalText,
  scopeText,
  signedCount,
  sourceText,
} from './threshold-words';

test.each([
  [null, null, 'the whole project'],
  ['m', null, 'mission m'],
  ['m', 't', 'task t of mission m'],
  [null, 't', 'task t of no mission'],
])('the scope of mission %s and task %s', (missionId, taskId, text) => {
  expect(scopeText({ missionId, taskId })).toBe(text);
});

test('a value names its origin', () => {
  expect(sourceText({ source: 'default', set: null })).toBe('default');
  const set = {
    value: 0.6,
    missionId: null,
    taskId: null,
    version: 3,
    reason: null,
    by: 'olga',
    at: new Date(0),
  };
  expect(sourceText({ source: 'project', set })).toBe('set for the project, version 3');
});

test.each([
  [true, 'failed', 'passed', 'becomes right'],
  [true, 'passed', 'failed', 'becomes a false rejection'],
  [false, 'failed', 'passed', 'becomes a missed failure'],
  [false, 'passed', 'failed', 'becomes right'],
  [true, 'passed', 'needs_review', 'no longer right'],
  [false, 'passed', 'needs_review', 'no longer wrong'],
  [true, 'needs_review', 'steered', 'unchanged'],
  [null, 'failed', 'passed', 'no label'],
] as const)('X-1 a good subject: %o, from %s to %s, %s', (good, before, after, text) => {
  expect(
    effectText({
      good,
      before: { verdict: null, outcome: before },
      after: { verdict: null, outcome: after },
    }),
  ).toBe(text);
});

test('a change of a count has its sign', () => {
  expect([3, -2, 0, 1200, -0.5].map(signedCount)).toEqual(['+3', '−2', '0', '+1,200', '−0.5']);
});

const threshold = (key: string, value: number): Threshold => ({
  verifier: 'agent-output',
  key,
  standard: value,
  min: 0,
  max: 1,
  meaning: '',
  value,
  source: 'default',
  version: 0,
  set: [],
});
const held = [threshold('pass_threshold', 0.8), threshold('retry_threshold', 0.5)];

test.each([
  [
    'beyond the scale',
    [{ key: 'pass_threshold', value: 2 }],
    'pass_threshold takes 0 to 1, not 2.',
  ],
  ['below it', [{ key: 'pass_threshold', value: -1 }], 'pass_threshold takes 0 to 1, not -1.'],
  [
    'across another key',
    [{ key: 'pass_threshold', value: 0.3 }],
    'pass_threshold at 0.3 would cross retry_threshold, 0.5.',
  ],
  [
    'across one that is staged',
    [
      { key: 'pass_threshold', value: 0.7 },
      { key: 'retry_threshold', value: 0.75 },
    ],
    'pass_threshold at 0.7 would cross retry_threshold, 0.75.',
  ],
  [
    'across one that is staged to make way',
    [
      { key: 'pass_threshold', value: 0.3 },
      { key: 'retry_threshold', value: 0.2 },
    ],
    null,
  ],
  ['within the scale', [{ key: 'pass_threshold', value: 0.6 }], null],
])('VS-33 a refusal is known before the value is applied: %s', (_, planned, text) => {
  expect(refusalText(planned, held, { missionId: null, taskId: null })).toBe(text);
});

test('the refusal of a concurrent change names who set which value, in sentences', () => {
  const by = {
    verifier: 'task',
    missionId: null,
    taskId: null,
    version: 3,
    before: 0.7,
    reason: null,
    by: 'adam',
    at: new Date(0),
  };
  const since: ThresholdChange[] = [
    { ...by, key: 'pass_threshold', value: 0.8, isCurrent: true },
    { ...by, key: 'fail_threshold', value: null, isCurrent: true },
  ];
  const message = 'pass_threshold was changed in the meantime: the current version is 1, not 0';
  const review = 'The page behind shows the current values: review them before you apply changes.';
  expect(conflictText(message, [])).toBe(`${message}. ${review}`);
  expect(conflictText(`${message}.`, since)).toBe(
    `${message}. adam moved pass_threshold to 0.8. adam removed the value of fail_threshold. ${review}`,
  );
});
