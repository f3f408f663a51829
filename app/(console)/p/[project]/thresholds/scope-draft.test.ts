import { expect, test } from 'vitest';
import { draftOf, readScope, type ScopeDraft } from './scope-draft';

const draft: ScopeDraft = { kind: 'project', mission: 'm', task: 't' };

test.each<[string, Partial<ScopeDraft>, object]>([
  ['the project, whatever was typed', {}, { missionId: null, taskId: null }],
  ['a mission', { kind: 'mission' }, { missionId: 'm', taskId: null }],
  ['a task of a mission', { kind: 'task' }, { missionId: 'm', taskId: 't' }],
  ['a task of none', { kind: 'task', mission: ' ' }, { missionId: null, taskId: 't' }],
  [
    'a mission without name',
    { kind: 'mission', mission: ' ' },
    { errors: { mission: 'Name the mission.' } },
  ],
  ['a task without name', { kind: 'task', task: '' }, { errors: { task: 'Name the task.' } }],
])('VS-33 a scope: %s', (_, part, expected) => {
  expect(readScope({ ...draft, ...part })).toEqual(expected);
});

test('a chosen scope is shown as it was typed', () => {
  for (const scope of [
    { missionId: null, taskId: null },
    { missionId: 'm', taskId: null },
    { missionId: 'm', taskId: 't' },
    { missionId: null, taskId: 't' },
  ])
    expect(readScope(draftOf(scope))).toEqual(scope);
});
