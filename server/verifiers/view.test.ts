import { expect, test } from 'vitest';
import { deriveOutcome } from '../domain';
import { kinds } from './registry';
import { listNativeVerdicts, readNativeVerdict } from './native-verdicts';
import { kindViews } from './view';

test.each([
  ['integrity', 'unsourced', 'unsourced'],
  ['integrity', 'Sourced', 'sourced'],
  ['integrity', 'pass', 'sourced'],
  ['integrity', 'passed', 'sourced'],
  ['integrity', ' FAIL ', 'unsourced'],
  ['integrity', 'partial', null],
  ['integrity', '', null],
  ['integrity', '__proto__', null],
  ['task', 'partial', 'partial'],
  ['task', 'failed', 'fail'],
  ['code', 'pass', 'PASS'],
  ['synthesis', 'fail', 'FAIL'],
  ['synthesis', 'retry', 'RETRY'],
  ['constructor', 'pass', null],
])('VS-45 of kind %s, "%s" is %s', (kind, word, native) => {
  expect(readNativeVerdict(kind, word)).toBe(native);
});

test('X-5 every word that a person may rule with has an outcome', () => {
  for (const kind of kindViews.keys()) {
    expect(listNativeVerdicts(kind).length).toBeGreaterThan(1);
    for (const verdict of listNativeVerdicts(kind))
      expect(deriveOutcome(verdict), verdict).not.toBe('inconclusive');
  }
});

test('the browser knows every kind, and no other', () => {
  expect([...kindViews.keys()]).toEqual([...kinds.keys()]);
});
