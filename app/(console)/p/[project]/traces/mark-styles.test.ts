import { expect, test } from 'vitest';
import { countsText, figuresText, worstOf } from './mark-styles';
import { shownState } from '@/app/_ui/verdict-styles';

test('the worst verdict represents a trace; a trace without one has no state', () => {
  expect(worstOf(['passed', 'failed', 'pending'])).toBe('failed');
  expect(worstOf(['passed', 'pending'])).toBe('pending');
  expect(worstOf([])).toBeNull();
});

test('quarantined work is neither a pass nor a fail', () => {
  expect(shownState('quarantined')).toBe('inconclusive');
  expect(worstOf(['passed', 'quarantined'])).toBe('quarantined');
});

test('counts read worst first', () => {
  expect(
    countsText([
      { state: 'passed', count: 1200 },
      { state: 'failed', count: 2 },
    ]),
  ).toBe('2 failed, 1,200 passed');
});

test.each([
  [null, null, null],
  [0, 0, 'no figures'],
  [1, 0, '1 figure sourced'],
  [5, 2, '2 of 5 figures unsourced'],
])('figures %s, unsourced %s: %s', (figures, unsourced, text) =>
  expect(figuresText({ figures, unsourced })).toBe(text),
);
