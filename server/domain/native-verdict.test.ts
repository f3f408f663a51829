import { expect, test } from 'vitest';
import { listNativeVerdicts, readNativeVerdict, truthOf } from './native-verdict';
import { deriveOutcome, VerifierKind } from './verdict';

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
  for (const kind of VerifierKind.options) {
    expect(listNativeVerdicts(kind).length).toBeGreaterThan(1);
    for (const verdict of listNativeVerdicts(kind))
      expect(deriveOutcome(verdict), verdict).not.toBe('inconclusive');
  }
});

test.each([
  ['sourced', true],
  ['RETRY', false],
  ['unsourced', false],
  ['partial', null],
  ['steer', null],
  ['no such word', null],
  [null, null],
])('X-1 %s says of its subject: good %s', (verdict, truth) => {
  expect(truthOf(verdict)).toBe(truth);
});
