import { expect, test } from 'vitest';
import { stepsOf } from './plan-order';

const subgoal = (id: string) => ({ id, description: id, agent: null, dependsOn: [], requires: [] });
const issue = (path: string | null) => ({
  code: 'c',
  message: `at ${path}`,
  severity: 'high' as const,
  path,
});
const shown = (order: { parallel: boolean; subgoals: string[] }[], ids: string[]) =>
  stepsOf({ subgoals: ids.map(subgoal), order }, []).map(({ parallel, subgoals, unknown }) => [
    parallel,
    subgoals.map(({ subgoal: { id }, index }) => `${id}${index}`).join(' '),
    unknown.join(' '),
  ]);

test.each([
  ['none given', [], ['a', 'b'], [[null, 'a0 b1', '']]],
  [
    'by its phases, unlisted ones last',
    [
      { parallel: true, subgoals: ['c', 'a'] },
      { parallel: false, subgoals: ['b'] },
    ],
    ['a', 'b', 'c', 'd'],
    [
      [true, 'c2 a0', ''],
      [false, 'b1', ''],
      [null, 'd3', ''],
    ],
  ],
  [
    'each once, and missing ones separately',
    [
      { parallel: false, subgoals: ['a', 'x', 'a'] },
      { parallel: false, subgoals: ['a'] },
    ],
    ['a'],
    [
      [false, 'a0', 'x'],
      [false, '', ''],
    ],
  ],
  [
    'two with one id are adjacent',
    [{ parallel: false, subgoals: ['a'] }],
    ['a', 'a'],
    [[false, 'a0 a1', '']],
  ],
])('SOAR-14 an order: %s', (_, order, ids, expected) => {
  expect(shown(order, ids)).toEqual(expected);
});

test('SOAR-14 issues are shown at their subgoal', () => {
  const issues = [
    issue('decomposition.subgoals[1].agent'),
    issue('decomposition.execution_order[1]'),
    issue(null),
    issue('subgoals[1]'),
  ];
  const [step] = stepsOf({ subgoals: ['a', 'b'].map(subgoal), order: [] }, issues);
  expect(step?.subgoals.map((each) => each.issues.length)).toEqual([0, 2]);
});
