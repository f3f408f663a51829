import { describe, expect, test } from 'vitest';
import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import {
  crossModelText,
  decisionSentence,
  plainNumber,
  thresholdText,
  troubleOf,
  pendingText,
} from './words';

const issue = (code: string, message: string): VerdictDetail['issues'][number] => ({
  code,
  message,
  severity: 'high',
  path: null,
});
const undecided = {
  state: 'settled',
  verdict: null,
  decision: { state: 'run', reason: null },
} as const;

describe('an inconclusive verdict shows the failure and the next step', () => {
  test.each([
    [
      'nobody to ask',
      { ...undecided, issues: [issue('no_judge', 'no provider configured')] },
      'No judge available',
      'providers',
    ],
    [
      'a judge that broke',
      { ...undecided, issues: [issue('judge_failed', 'timeout')] },
      'The judge failed',
      'providers',
    ],
    [
      'no budget',
      {
        ...undecided,
        issues: [],
        decision: { state: 'over_budget', reason: 'judging_would_exceed_the_budget' },
      },
      'The budget was spent',
      'judging',
    ],
    [
      'below the cost floor',
      {
        ...undecided,
        issues: [issue('llm_skipped', 'x')],
        decision: { state: 'bypassed', reason: 'below_cost_floor' },
      },
      'Not judged',
      'judging',
    ],
    [
      'out of the sample',
      { ...undecided, issues: [], decision: { state: 'sampled_out', reason: 'not_in_sample' } },
      'Not judged',
      'judging',
    ],
    [
      'anything else',
      { ...undecided, issues: [issue('odd', 'An odd thing')] },
      'Nothing was decided',
      null,
    ],
    ['no word of it', { ...undecided, issues: [] }, 'Nothing was decided', null],
  ] as const)('X-3 %s', (_, verdict, title, path) => {
    const trouble = troubleOf({ ...verdict, issues: [...verdict.issues] });
    expect(trouble?.title).toBe(title);
    expect(trouble?.page?.path ?? null).toBe(path);
    expect(trouble?.todo).not.toBe('');
  });

  test('with a verdict, or before it, there is no trouble', () => {
    expect(troubleOf({ ...undecided, verdict: 'fail', issues: [] })).toBeNull();
    expect(troubleOf({ ...undecided, state: 'pending', issues: [] })).toBeNull();
  });
});

test('VS-33 a threshold is shown with its source', () => {
  expect(thresholdText({ value: 0.7, source: 'default', version: 0 })).toBe('0.7, default');
  expect(thresholdText({ value: 0.8, source: 'mission', version: 2 })).toBe(
    '0.8, set for its mission (version 2)',
  );
  expect(thresholdText({ value: 0.9, source: 'task', version: 1 })).toBe(
    '0.9, set for this task (version 1)',
  );
  expect(thresholdText({ value: 0.2, source: 'task', version: 0 })).toBe(
    '0.2, given with the call',
  );
});

test('VS-37 VS-39 codes are shown as sentences, and an unknown one as it is', () => {
  expect(crossModelText('unverified')).toContain('Unknown');
  expect(crossModelText('constructor')).toBe('constructor');
  expect(crossModelText(null)).toBe('No judge was called.');
  expect(decisionSentence({ state: 'bypassed', reason: 'below_cost_floor' })).toContain(
    'less than the floor',
  );
  expect(decisionSentence({ state: 'run', reason: null })).toBe('Verified.');
  expect(decisionSentence({ state: 'odd', reason: 'thing' })).toBe('odd: thing');
});

test('a number has no insignificant digits', () => {
  expect([0.8166666, 0.7, 1, 0, 0.00004].map(plainNumber)).toEqual([
    '0.8167',
    '0.7',
    '1',
    '0',
    '0',
  ]);
});

type Progress = NonNullable<VerdictSubject['progress']>;
test.each<[Progress['state'], Progress['lane'], string]>([
  ['waiting', 'fast', 'Waiting for a worker'],
  ['waiting', 'slow', 'Waiting for a judge'],
  ['in_hand', 'slow', 'Being judged'],
  ['parked', 'slow', 'Postponed until its judge is available, retried at 00:00:05 UTC'],
])('R-58 a verification without a verdict: %s in the %s lane', (state, lane, said) => {
  const progress: Progress = { state, lane, reason: null, scheduledAt: new Date(5000) };
  expect(pendingText({ progress })).toBe(said);
});
