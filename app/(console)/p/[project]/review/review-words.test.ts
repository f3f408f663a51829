import { expect, test } from 'vitest';
import { rate } from '@/server/domain';
import { agreementText, overrules, progressText } from './review-words';

test.each([
  ['pass', 'passed', false],
  ['fail', 'passed', true],
  ['pass', 'failed', true],
  ['fail', 'failed', false],
  ['unsure', 'failed', false],
  ['unsure', 'inconclusive', false],
  ['pass', 'inconclusive', true],
  ['fail', 'inconclusive', true],
  ['pass', 'needs_review', false],
] as const)('S-35 “%s” of a verdict that is %s overrules: %s', (answer, outcome, overruled) => {
  expect(overrules(answer, outcome)).toBe(overruled);
});

test('X-12 agreement is shown as counts below 20, with its interval from 20 on, and no overlap is no rate', () => {
  expect(agreementText(rate(0, 0))).toBe('none in common yet');
  expect(agreementText(rate(14, 17))).toBe('14/17');
  expect(agreementText(rate(42, 50))).toBe('84.0% (71.5–91.7%), 42/50');
});

test('progress counts ruled-on and open items', () => {
  expect(progressText(12, 38)).toBe('12 of 50 today');
  expect(progressText(12, 0)).toBe('12 ruled on today, none open');
});
