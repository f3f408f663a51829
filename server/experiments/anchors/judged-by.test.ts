import { expect, test } from 'vitest';
import { changeSince, type JudgedBy } from './judged-by';

const before: JudgedBy = {
  version: 2,
  judge: 'house:a',
  jury: [],
  prompts: ['task-binary@0', 'task-rubric@3'],
};

test.each<readonly [string, Partial<JudgedBy>, string | null, string | null]>([
  ['nothing', {}, 'task-binary@0', null],
  ['the verifier', { version: 3 }, null, 'version 3 in place of 2'],
  [
    'the judge',
    { judge: 'house:b' },
    'task-binary@0',
    'the default judge is house:b, and was house:a',
  ],
  [
    'the judge, to any available one',
    { judge: null },
    'task-binary@0',
    'the default judge is any available one, and was house:a',
  ],
  ['the judge of a verifier that calls none', { judge: 'house:b' }, null, null],
  ['the jury', { jury: ['house:b'] }, 'task-binary@0', 'the jury is house:b, and was none'],
  [
    'a prompt used for its items',
    { prompts: ['task-binary@1', 'task-rubric@3'] },
    'task-binary@0',
    'task-binary@1 in production',
  ],
  [
    'a prompt not used for its items',
    { prompts: ['task-binary@0', 'task-rubric@4'] },
    'task-binary@0',
    null,
  ],
  [
    'a prompt used for some of its items',
    { prompts: ['task-binary@1', 'task-rubric@3'] },
    'task-binary@0 + task-rubric@3',
    'task-binary@1 in production',
  ],
])('calibration.md 5.9 a change of %s', (_title, change, used, expected) => {
  expect(changeSince(before, { ...before, ...change }, used)).toBe(expected);
});
