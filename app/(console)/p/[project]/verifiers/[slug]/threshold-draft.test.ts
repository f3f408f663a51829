import { expect, test } from 'vitest';
import { readThreshold, type ThresholdDraft } from './threshold-draft';

const draft: ThresholdDraft = { value: '0.8', scope: 'project', mission: 'm', task: 't', reason: ' why ' };

test.each<[string, Partial<ThresholdDraft>, object]>([
  ['the project', {}, { value: 0.8, scope: { mission_id: null, task_id: null }, reason: 'why' }],
  ['a mission', { scope: 'mission' }, { scope: { mission_id: 'm', task_id: null } }],
  ['a task of a mission', { scope: 'task' }, { scope: { mission_id: 'm', task_id: 't' } }],
  ['a task of none', { scope: 'task', mission: ' ' }, { scope: { mission_id: null, task_id: 't' } }],
  ['a decimal comma', { value: '0,65', reason: '' }, { value: 0.65, reason: null }],
  ['out of range, which the server refuses', { value: '1.2' }, { value: 1.2 }],
  ['no number', { value: '1e9x' }, { errors: { value: 'Write a number, such as 0.7.' } }],
  ['nothing', { value: ' ' }, { errors: { value: 'Write a number, such as 0.7.' } }],
  ['a mission without name', { scope: 'mission', mission: '' }, { errors: { mission: 'Name the mission.' } }],
  ['a task without name', { scope: 'task', task: '' }, { errors: { task: 'Name the task.' } }],
])('VS-33 a threshold for %s', (_, part, expected) => {
  expect(readThreshold({ ...draft, ...part })).toMatchObject(expected);
});
