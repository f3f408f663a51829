import { expect, test } from 'vitest';
import { rate } from '@/server/domain';
import { agreementText, itemTitle, paceText, overrules, progressText } from './review-words';

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
  expect(agreementText(rate(0, 0))).toBe('no overlap yet');
  expect(agreementText(rate(14, 17))).toBe('14/17');
  expect(agreementText(rate(42, 50))).toBe('84.0% (71.5–91.7%), 42/50');
});

test('progress counts ruled-on and open items', () => {
  expect(progressText(12, 38, false)).toBe('12 of 50 today');
  expect(progressText(12, 0, false)).toBe('12 ruled on today, none open');
  expect(progressText(12, 3, true)).toBe('3 open here, 12 ruled on today');
});

test('the pace names the time for one item and the time left', () => {
  expect(paceText(8.25, 38)).toBe('8.3 s per item, about 6 min left');
  expect(paceText(40.4, 600)).toBe('40 s per item, about 7 h left');
  expect(paceText(12, 0)).toBe('12 s per item');
});

test('an item without text is titled by its kind', () => {
  expect(itemTitle({ title: 'How full is web-1?', kind: 'integrity' })).toBe('How full is web-1?');
  expect(itemTitle({ title: '', kind: 'integrity' })).toBe('Integrity without text');
});
