import { expect, test } from 'vitest';
import { Figure, type Issue } from '@/server/domain';
import { measuredScore } from '../[id]/subject/score-fixture';
import { firstEvidence } from './first-evidence';

const figure = (text: string, sourced: boolean): Figure =>
  Figure.parse({
    text,
    start: 0,
    end: text.length,
    kind: 'number',
    value: text,
    unit: null,
    sourced,
    source: sourced ? { id: 'tc1', path: 'rows[0].x' } : null,
    citation_ok: null,
    source_text: null,
    cited: null,
    reason: sourced ? null : 'not_in_sources',
  });
const issue: Issue = {
  code: 'x',
  message: 'A file is missing.',
  severity: 'high',
  path: 'server.py',
};
const none = { figures: [], issues: [], scores: [] };

test.each([
  [
    'the first figure without a source',
    { ...none, figures: [figure('1', true), figure('2', false)], issues: [issue] },
    {
      state: 'failed',
      what: '2',
      why: 'This value is in no source of the turn.',
      more: 1,
      noun: 'figure',
    },
  ],
  [
    'a figure with its place, where all have one',
    { ...none, figures: [figure('1', true)] },
    { state: 'passed', what: '1', why: 'Found in tc1 at rows[0].x.', more: 0, noun: 'figure' },
  ],
  [
    'an issue before scores',
    { ...none, issues: [issue], scores: [measuredScore()] },
    { state: 'inconclusive', what: 'A file is missing.', why: 'server.py', more: 0, noun: 'issue' },
  ],
  [
    'a score that was not met before those that were',
    {
      ...none,
      scores: [
        measuredScore({ name: 'a' }),
        measuredScore({ name: 'b', value: 0, met: false, reasoning: 'No.' }),
      ],
    },
    { state: 'failed', what: 'b', why: 'No.', more: 1, noun: 'score' },
  ],
  ['nothing, where nothing was measured', none, null],
] as const)('the panel shows %s', (_what, verdict, shown) => {
  expect(firstEvidence(verdict)).toEqual(shown);
});
