import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import { listAudit, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { ThresholdBody } from './input';
import {
  applyThresholds,
  listThresholds,
  loadThresholds,
  putThreshold,
  resolveThresholds,
} from './index';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const put = (key: string, value: number | null, scope: object = {}) =>
  putThreshold(project, { verifier: 'task', key, body: ThresholdBody.parse({ value, scope }) });
const effective = async (missionId: string | null, taskId: string | null) =>
  resolveThresholds(
    { verifier: 'task', missionId, taskId },
    (await loadThresholds(runtime.ctx, [project.projectId], ['task'])).of(
      project.projectId,
      'task',
    ),
  );

test('VS-33 values of project, mission and task are versions of their own scope; removing one applies the wider one again', async () => {
  await put('pass_threshold', 0.6);
  await put('pass_threshold', 0.65);
  await put('pass_threshold', 0.65);
  await put('pass_threshold', 0.9, { mission_id: 'm' });
  await put('pass_threshold', 0.95, { mission_id: 'm', task_id: 't' });
  expect((await effective(null, null)).get('pass_threshold')).toEqual({
    value: 0.65,
    source: 'project',
    version: 2,
  });
  expect((await effective('m', 'x')).get('pass_threshold')).toEqual({
    value: 0.9,
    source: 'mission',
    version: 1,
  });
  expect((await effective('m', 't')).get('pass_threshold')).toEqual({
    value: 0.95,
    source: 'task',
    version: 1,
  });
  await put('pass_threshold', null, { mission_id: 'm', task_id: 't' });
  expect((await effective('m', 't')).get('pass_threshold')).toEqual({
    value: 0.9,
    source: 'mission',
    version: 1,
  });
  await put('pass_threshold', null);
  expect((await effective(null, null)).get('pass_threshold')).toEqual({
    value: 0.7,
    source: 'default',
    version: 0,
  });
  const [state] = await listThresholds(project, 'task');
  expect(state).toMatchObject({
    key: 'pass_threshold',
    value: 0.7,
    source: 'default',
    set: [{ value: 0.9, missionId: 'm', taskId: null }],
  });
  const changes = (await listAudit(project, {})).items.filter(
    (each) => each.action === 'thresholds.update',
  );
  expect(changes).toHaveLength(6);
});

test.each<[string, string, number, object, string]>([
  ['out of range', 'pass_threshold', 1.01, {}, 'value: must be from 0 to 1, not 1.01'],
  [
    'pass below fail',
    'pass_threshold',
    0.39,
    {},
    'pass_threshold (0.39) must not be below fail_threshold (0.4)',
  ],
  [
    'fail above pass',
    'fail_threshold',
    0.71,
    {},
    'pass_threshold (0.7) must not be below fail_threshold (0.71)',
  ],
  [
    'pass below fail in one mission',
    'pass_threshold',
    0.2,
    { mission_id: 'm' },
    'for the mission "m"',
  ],
])('a value that is %s is refused and nothing changes', async (_, key, value, scope, message) => {
  await expect(put(key, value, scope)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining(message) as string,
  });
  expect((await listThresholds(project, 'task')).every((each) => each.set.length === 0)).toBe(true);
});

test('a project value that crosses the value of a mission is refused, and the mission is named', async () => {
  await put('pass_threshold', 0.5, { mission_id: 'm' });
  await expect(put('fail_threshold', 0.6)).rejects.toMatchObject({
    message: expect.stringContaining('for the mission "m"') as string,
  });
});

test.each(['nothing', 'constructor'])(
  'a key "%s" that the verifier does not have is not found',
  async (key) => {
    await expect(put(key, 0.5)).rejects.toMatchObject({ code: 'not_found' });
  },
);

test('concurrent changes are sequential versions', async () => {
  await Promise.all([0.71, 0.72, 0.73, 0.74].map((value) => put('pass_threshold', value)));
  expect((await effective(null, null)).get('pass_threshold')?.version).toBe(4);
});

test('another project has its own', async () => {
  await put('pass_threshold', 0.8);
  const other = await createTestProject(runtime);
  const stored = await loadThresholds(runtime.ctx, [project.projectId, other.projectId], ['task']);
  expect(stored.of(other.projectId, 'task')).toEqual([]);
  expect(stored.of(project.projectId, 'task')).toHaveLength(1);
});

const apply = (
  changes: [key: string, value: number | null, expectedVersion: number][],
  missionId: string | null = null,
) =>
  applyThresholds(project, {
    verifier: 'task',
    missionId,
    taskId: null,
    reason: 'together',
    changes: changes.map(([key, value, expectedVersion]) => ({ key, value, expectedVersion })),
  });

test('values of several keys are set together, though one alone would cross the other', async () => {
  const both = [
    ['fail_threshold', 0.8, 0],
    ['pass_threshold', 0.9, 0],
  ] as [string, number, number][];
  await expect(apply(both.slice(0, 1))).rejects.toMatchObject({ code: 'refused' });
  expect(await apply(both)).toEqual([
    { key: 'fail_threshold', version: 1 },
    { key: 'pass_threshold', version: 1 },
  ]);
  // The request is repeated, as after a lost response.
  expect(await apply(both)).toEqual([
    { key: 'fail_threshold', version: 1 },
    { key: 'pass_threshold', version: 1 },
  ]);
  expect((await effective(null, null)).get('fail_threshold')).toMatchObject({
    value: 0.8,
    version: 1,
  });
  const changes = (await listAudit(project, {})).items.filter(
    (each) => each.action === 'thresholds.update',
  );
  expect(changes).toHaveLength(2);
  expect(changes[0]?.detail).toContain('"reason":"together"');
});

test.each<[string, [string, number | null, number][], string]>([
  [
    'another version is current',
    [
      ['fail_threshold', 0.3, 0],
      ['pass_threshold', 0.8, 0],
    ],
    'conflict',
  ],
  ['a version is expected that never existed', [['fail_threshold', 0.3, 7]], 'conflict'],
  [
    'one is out of range',
    [
      ['fail_threshold', 0.3, 0],
      ['pass_threshold', 1.2, 1],
    ],
    'refused',
  ],
  [
    'together they cross',
    [
      ['fail_threshold', 0.9, 0],
      ['pass_threshold', 0.8, 1],
    ],
    'refused',
  ],
  [
    'one key does not exist',
    [
      ['fail_threshold', 0.3, 0],
      ['nobodys', 0.8, 0],
    ],
    'not_found',
  ],
])('where %s nothing at all is changed', async (_, changes, code) => {
  await put('pass_threshold', 0.6);
  await expect(apply(changes)).rejects.toMatchObject({ code });
  expect((await effective(null, null)).get('pass_threshold')).toMatchObject({
    value: 0.6,
    version: 1,
  });
  expect((await effective(null, null)).get('fail_threshold')).toMatchObject({ source: 'default' });
});

test('a removed value has a version nevertheless, and the next change is based on it', async () => {
  await put('pass_threshold', 0.6, { mission_id: 'm' });
  await put('pass_threshold', null, { mission_id: 'm' });
  await expect(apply([['pass_threshold', 0.8, 0]], 'm')).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await apply([['pass_threshold', 0.8, 2]], 'm')).toEqual([
    { key: 'pass_threshold', version: 3 },
  ]);
});
