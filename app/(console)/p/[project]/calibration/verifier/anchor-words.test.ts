import { describe, expect, test } from 'vitest';
import { outsideText, planSentences, scheduleText } from './anchor-words';

const plan = {
  verifier: 'task',
  labelled: { good: 120, bad: 41 },
  items: { good: 25, bad: 25 },
  refusal: null,
  judges: ['house:gpt-4o-mini'],
  whyNone: null,
  tokens: 61_000,
  costUsd: 0.0123,
};

describe('estimate of a set before it is frozen', () => {
  test('states the judge, and the highest cost', () =>
    expect(planSentences(plan)).toEqual([
      '161 subjects are labelled and can be judged again: 41 bad, 120 good.',
      'The set takes 50: 25 bad, 25 good.',
      'Judging it once takes about 61,000 tokens of house:gpt-4o-mini, at most $0.0123.',
    ]));
  test.each([
    [{ costUsd: null }, /an unknown cost/],
    [{ judges: [], tokens: 0, costUsd: 0 }, /calls no model/],
    [{ judges: [], whyNone: 'no provider' }, /No judge is available now: no provider\./],
  ])('%o', (change, said) => expect(planSentences({ ...plan, ...change }).at(-1)).toMatch(said));
});

test.each([
  [null, 'manually only'],
  ['0 6 * * 1', 'every Monday at 06:00, Europe/Berlin'],
  ['*/5 1 * * *', 'at */5 1 * * *, Europe/Berlin'],
])('the schedule %s reads: %s', (cron, said) =>
  expect(scheduleText({ cron, zone: 'Europe/Berlin' })).toBe(said),
);

test.each([
  [0, 0, null],
  [2, 0, '2 not decided'],
  [0, 1, '1 left out'],
  [2, 1, '2 not decided, 1 left out'],
])(
  'X-3 %i undecided and %i left out are reported next to the rates: %s',
  (undecided, leftOut, said) =>
    expect(
      outsideText({ undecided, leftOut } as unknown as Parameters<typeof outsideText>[0]),
    ).toBe(said),
);
