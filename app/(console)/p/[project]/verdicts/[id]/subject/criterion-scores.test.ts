import { expect, test } from 'vitest';
import type { VerdictSubject } from '@/app/_trpc/outputs';
import { sortScores } from './criterion-scores';
import { measuredScore } from './score-fixture';

type Content = VerdictSubject['content'];
type Criteria = NonNullable<Content['criteria']>;

const text = (words: string, check: string | null = null): Criteria[number] => ({
  text: words,
  check,
  weight: 1,
  mustPass: false,
});
const subjectOf = (
  criteria: Criteria,
  titles: readonly string[],
): Pick<VerdictSubject, 'content' | 'detail'> => ({
  content: {
    title: 'Task',
    description: '',
    criteria,
    isQuoted: true,
    context: '',
    scoringMode: null,
    outputs: [],
    other: null,
  },
  detail: {
    criteria: titles.map((criterion) => ({ criterion, score: null, met: null })),
    qualities: [],
    failures: [],
    suggestions: [],
    status: null,
    retryAfterMs: null,
    pairs: [],
    summary: null,
    weakest: [],
  },
});

test('VS-3 each criterion has its own score, in the order of the caller, whatever the order of measuring', () => {
  const scores = [
    measuredScore({ name: 'There is something to judge', evaluator: 'judges.screen@1' }),
    measuredScore({ name: 'min_length 10', evaluator: 'checks.min_length@1' }),
    measuredScore({ name: 'Names an owner' }),
    measuredScore({ name: 'Names an owner' }),
    measuredScore({ name: 'clarity' }),
  ];
  const sorted = sortScores(
    subjectOf(
      [text('Names an owner'), text('10', 'min_length'), text('Names an owner')],
      ['Names an owner', 'min_length 10', 'Names an owner'],
    ),
    scores,
  );
  expect(sorted.criteria.map(({ placed }) => placed?.index)).toEqual([2, 1, 3]);
  expect(sorted.qualities.map(({ score }) => score.name)).toEqual(['clarity']);
  expect(sorted.others.map(({ score }) => score.name)).toEqual(['There is something to judge']);
});

test('VS-11 a criterion that was not run is found by the name of its node; an unmeasured one has no score', () => {
  const scores = [
    measuredScore({
      name: 'check 1',
      state: 'unscored',
      value: null,
      met: null,
      evaluator: 'checks.regex@1',
    }),
    measuredScore({ name: 'criterion 1', state: 'unscored', value: null, met: null }),
  ];
  const criteria = [text('a', 'regex'), text('One'), text('Two')];
  const sorted = sortScores(subjectOf(criteria, []), scores);
  expect(sorted.criteria.map(({ title, placed }) => [title, placed?.index ?? null])).toEqual([
    ['regex a', 0],
    ['One', 1],
    ['Two', null],
  ]);
});
