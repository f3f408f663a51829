import { expect, test } from 'vitest';
import { alertFacts, alertKinds } from '@/server/alerts/input';
import { alertName, limitText, sentText, stateWord } from './alert-words';

test.each([
  ['catch_rate', 0.6, 'alerts below 60%'],
  ['false_positive_rate', 0.155, 'alerts above 15.5%'],
  ['intake_stalled', 300, 'alerts above 5 min'],
  ['work_set_aside', 1200, 'alerts above 1,200'],
  ['corrected_pass_rate', null, null],
  ['trust_lost', 1, null],
] as const)('the limit of %s has its own scale and its side', (kind, limit, text) =>
  expect(limitText(kind, limit)).toBe(text),
);

test('X-1: no kind is called a false positive', () => {
  expect(
    alertKinds
      .map((kind) => alertFacts[kind].title)
      .filter((title) => /false positive/i.test(title)),
  ).toEqual([]);
});

test('an alert names its subject when there are several, and hides nothing', () => {
  expect(alertName({ kind: 'catch_rate', name: 'Task' })).toBe('Catch rate: Task');
  expect(alertName({ kind: 'over_budget', name: 'a\u202Eb' })).toBe('Over budget: a[U+202E]b');
  expect(alertName({ kind: 'sandbox_down', name: 'The box' })).toBe('Sandbox down');
});

test.each([
  ['waiting', null, 'waiting'],
  ['waiting', 'answered 500', 'waiting: answered 500'],
  ['delivered', null, 'delivered'],
  ['dead', 'answered 410', 'abandoned: answered 410'],
] as const)('a notice that is %s', (state, error, text) =>
  expect(sentText({ destination: 'Ops', state, error })).toBe(text),
);

test('trust that was never reached is not a lack of data', () => {
  expect(stateWord({ kind: 'trust_lost', state: 'no_data' })).toBe('Not qualified');
  expect(stateWord({ kind: 'trust_lost', state: 'alerting' })).toBeUndefined();
  expect(stateWord({ kind: 'catch_rate', state: 'no_data' })).toBeUndefined();
});
