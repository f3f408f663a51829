import { describe, expect, test } from 'vitest';
import type { Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import {
  crossedBy,
  currentValueOf,
  changeSince,
  plannedChanges,
  readValue,
  stepOf,
  sweepValues,
  undoOrder,
  versionOf,
} from './threshold-values';

const at = new Date('2026-01-02T03:04:05Z');
const set = (
  value: number,
  missionId: string | null = null,
  taskId: string | null = null,
  version = 1,
) => ({
  value,
  missionId,
  taskId,
  version,
  reason: null,
  by: 'olga',
  at,
});

const threshold = (over: Partial<Threshold> = {}): Threshold => ({
  verifier: 'task',
  key: 'pass_threshold',
  standard: 0.7,
  min: 0,
  max: 1,
  meaning: 'A score from here up passes.',
  value: 0.7,
  source: 'default',
  version: 0,
  set: [],
  ...over,
});

const change = (over: Partial<ThresholdChange>): ThresholdChange => ({
  verifier: 'task',
  key: 'pass_threshold',
  missionId: null,
  taskId: null,
  version: 1,
  value: 0.6,
  before: null,
  reason: null,
  by: 'olga',
  at,
  isCurrent: true,
  ...over,
});

test.each([
  ['the whole project', null, null, 0.65, 'project'],
  ['a mission with its own', 'm', null, 0.8, 'mission'],
  ['another mission', 'x', null, 0.65, 'project'],
  ['a task with its own', 'm', 't', 0.9, 'task'],
  ['another task of that mission', 'm', 'x', 0.8, 'mission'],
  ['a task of no mission', null, 'alone', 0.75, 'task'],
  ['that task in a mission', 'm', 'alone', 0.8, 'mission'],
] as const)('VS-33 the current value for %s', (_, missionId, taskId, value, source) => {
  const held = threshold({
    set: [set(0.9, 'm', 't'), set(0.8, 'm'), set(0.65), set(0.75, null, 'alone')],
  });
  expect(currentValueOf(held, { missionId, taskId })).toMatchObject({ value, source });
  expect(currentValueOf(threshold(), { missionId, taskId })).toEqual({
    value: 0.7,
    source: 'default',
    set: null,
  });
});

test('a change builds on the latest version of its own scope, including undone ones', () => {
  const changes = [
    change({ version: 3, value: null }),
    change({ version: 2 }),
    change({ missionId: 'm', version: 7 }),
    change({ key: 'fail_threshold', version: 9 }),
  ];
  const project = { missionId: null, taskId: null };
  expect(versionOf('pass_threshold', project, changes)).toBe(3);
  expect(versionOf('pass_threshold', { missionId: 'm', taskId: null }, changes)).toBe(7);
  expect(versionOf('pass_threshold', { missionId: 'm', taskId: 't' }, changes)).toBe(0);
  expect(
    versionOf('pass_threshold', project, [], threshold({ set: [set(0.6, null, null, 41)] })),
  ).toBe(41);
});

test('the change after a version is the newest one of the same key and scope', () => {
  const changes = [
    change({ version: 2 }),
    change({ version: 4, value: null, by: 'adam' }),
    change({ version: 3 }),
    change({ missionId: 'm', version: 9 }),
    change({ key: 'fail_threshold', version: 9 }),
  ];
  const project = { missionId: null, taskId: null };
  expect(changeSince({ key: 'pass_threshold', version: 2 }, project, changes)).toMatchObject({
    version: 4,
    by: 'adam',
  });
  expect(changeSince({ key: 'pass_threshold', version: 4 }, project, changes)).toBeUndefined();
});

test('one press of an arrow key is a hundredth of a rate, and one point out of a hundred', () => {
  expect(stepOf({ min: 0, max: 1 })).toBe(0.01);
  expect(stepOf({ min: 0, max: 100 })).toBe(1);
});

test.each([
  ['0.65', 0.65],
  [' .5 ', 0.5],
  ['0,725', 0.725],
  ['0.123456', 0.1235],
  ['-0.1', -0.1],
  ['', null],
  ['0.6.1', null],
  ['1e9', null],
  ['high', null],
])('X-6 "%s" is read as %o', (text, value) => {
  expect(readValue(text)).toBe(value);
});

describe('the pass threshold must not be below the fail threshold', () => {
  const fail = { key: 'fail_threshold', value: 0.4 };
  const pass = { key: 'pass_threshold', value: 0.7 };
  test.each([
    ['pass_threshold', 0.4, null],
    ['pass_threshold', 0.39, fail],
    ['fail_threshold', 0.7, null],
    ['fail_threshold', 0.71, pass],
    ['retry_threshold', 0.71, pass],
    ['confidence_threshold', 0.1, null],
    ['large', 0, null],
  ])('%s at %d', (key, value, crossed) => {
    expect(crossedBy(key, value, [pass, fail])).toEqual(crossed);
  });

  test('the curve leaves out crossing values, and otherwise covers the scale', () => {
    const values = sweepValues({ key: 'pass_threshold', min: 0, max: 1 }, [fail]);
    expect([values[0], values.at(-1)]).toEqual([0.4, 1]);
    expect(sweepValues({ key: 'large', min: 0, max: 100 }, [])).toHaveLength(101);
    expect(sweepValues({ key: 'pass_threshold', min: 0, max: 1 }, [])).toContain(0.58);
    expect(sweepValues({ key: 'fail_threshold', min: 0, max: 1 }, [pass]).at(-1)).toBe(0.7);
  });

  test.each([
    [
      'pass went down',
      { before: 0.7, value: 0.35 },
      { before: 0.4, value: 0.3 },
      ['pass_threshold', 'fail_threshold'],
    ],
    [
      'pass went up',
      { before: 0.5, value: 0.9 },
      { before: 0.4, value: 0.6 },
      ['fail_threshold', 'pass_threshold'],
    ],
  ])('changes are undone without crossing where %s', (_, ofPass, ofFail, order) => {
    const changes = [
      { key: 'fail_threshold', ...ofFail },
      { key: 'pass_threshold', ...ofPass },
    ];
    expect(undoOrder(changes).map(({ key }) => key)).toEqual(order);
    const now = new Map(changes.map(({ key, value }) => [key, value]));
    for (const { key, before } of undoOrder(changes)) {
      now.set(key, before);
      expect(now.get('pass_threshold')).toBeGreaterThanOrEqual(now.get('fail_threshold') ?? 1);
    }
  });
});

test('only effective changes are planned, with the version that was seen', () => {
  const held = [
    threshold({ set: [set(0.65, null, null, 2)] }),
    threshold({ key: 'fail_threshold', standard: 0.4 }),
  ];
  const wanted = [
    { key: 'fail_threshold', value: 0.4 },
    { key: 'pass_threshold', value: 0.6 },
    { key: 'nobodys', value: 0.1 },
  ];
  expect(
    plannedChanges(wanted, held, [change({ version: 2 })], { missionId: null, taskId: null }),
  ).toEqual([{ key: 'pass_threshold', value: 0.6, before: 0.65, version: 2 }]);
  expect(plannedChanges(wanted, held, [], { missionId: 'm', taskId: null })).toMatchObject([
    { before: 0.65, version: 0 },
  ]);
});
