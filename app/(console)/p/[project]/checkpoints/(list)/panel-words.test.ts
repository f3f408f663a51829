import { expect, test } from 'vitest';
import { costedText, issueNames, chartLimitText } from './panel-words';

test('SOAR-32 an issue is named with its checkpoint when several have it', () => {
  const names = issueNames([
    { kind: 'synthesis', code: null },
    { kind: 'decomposition', code: 'unknown_agent' },
    { kind: 'agent-output', code: null },
  ]);
  expect(names).toEqual([
    'no issue named (Synthesis)',
    'unknown agent',
    'no issue named (Agent outputs)',
  ]);
});

test.each([
  [8, 12, 'The chart has the 8 most frequent of the 12 issues in the table.'],
  [8, 8, null],
  [8, 3, null],
])('SOAR-32 for a chart of %d and a table of %d the note reads: %s', (drawn, all, text) => {
  expect(chartLimitText(drawn, all)).toBe(text);
});

test.each([
  [3, 1207, 'Of 3 of 1,207 verdicts: the work of the others has no known cost.'],
  [207, 207, 'Of all 207 verdicts.'],
  [1, 1, 'Of the one verdict there is.'],
])('X-11 work of known cost for %d of %d: %s', (costed, verdicts, text) => {
  expect(costedText(costed, verdicts)).toBe(text);
});
