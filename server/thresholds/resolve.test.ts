import { describe, expect, test } from 'vitest';
import { listThresholdKeys } from './keys';
import {
  thresholdFault,
  resolveThresholds,
  type ScopedValue,
  type ThresholdScope,
} from './resolve';

const at = (value: number, missionId = '', taskId = ''): ScopedValue => ({
  key: 'pass_threshold',
  missionId,
  taskId,
  version: 3,
  value,
});
const ofTask = (missionId: string | null, taskId: string | null): ThresholdScope => ({
  verifier: 'task',
  missionId,
  taskId,
});
const all = [at(0.6), at(0.8, 'm'), at(0.9, 'm', 't'), at(0.5, '', 't')];

describe('resolveThresholds', () => {
  test.each<[string, readonly ScopedValue[], ThresholdScope, object]>([
    ['nothing set', [], ofTask('m', 't'), { value: 0.7, source: 'default', version: 0 }],
    ['the project', all, ofTask(null, null), { value: 0.6, source: 'project', version: 3 }],
    ['another mission', all, ofTask('other', null), { value: 0.6, source: 'project', version: 3 }],
    ['the mission', all, ofTask('m', null), { value: 0.8, source: 'mission', version: 3 }],
    [
      'another task of the mission',
      all,
      ofTask('m', 'other'),
      { value: 0.8, source: 'mission', version: 3 },
    ],
    ['the task of the mission', all, ofTask('m', 't'), { value: 0.9, source: 'task', version: 3 }],
    ['the task of no mission', all, ofTask(null, 't'), { value: 0.5, source: 'task', version: 3 }],
    [
      'a task of the same name in another mission',
      all,
      ofTask('other', 't'),
      { value: 0.6, source: 'project', version: 3 },
    ],
  ])('VS-33 the most specific scope wins: %s', (_, stored, scope, expected) => {
    expect(resolveThresholds(scope, stored).get('pass_threshold')).toEqual(expected);
  });

  test('VS-33 a value given in the call has precedence over all', () => {
    const found = resolveThresholds(ofTask('m', 't'), all, new Map([['pass_threshold', 0.2]]));
    expect(found.get('pass_threshold')).toEqual({ value: 0.2, source: 'task', version: 0 });
    expect(found.get('fail_threshold')).toEqual({ value: 0.4, source: 'default', version: 0 });
  });

  test('VS-22 VS-24 VS-25 the defaults of a task', () => {
    const standards = Object.fromEntries(
      listThresholdKeys('task').map(({ key, standard }) => [key, standard]),
    );
    expect(standards).toEqual({
      pass_threshold: 0.7,
      fail_threshold: 0.4,
      criterion_met_threshold: 0.7,
      confidence_threshold: 0.5,
    });
    expect(listThresholdKeys('integrity')).toEqual([]);
    expect(listThresholdKeys('constructor').map(({ key }) => key)).toEqual([
      'pass_threshold',
      'confidence_threshold',
    ]);
  });

  test('pass below fail is a fault, equal is none', () => {
    const values = (pass: number, fail: number) =>
      new Map([
        ['pass_threshold', { value: pass }],
        ['fail_threshold', { value: fail }],
      ]);
    expect(thresholdFault(values(0.3, 0.4))).toContain('must not be below');
    expect(thresholdFault(values(0.4, 0.4))).toBeNull();
    expect(thresholdFault(new Map())).toBeNull();
  });
});
