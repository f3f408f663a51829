import { describe, expect, it } from 'vitest';
import type { GateResult } from '../../code';
import { failedTests, gateIssues } from './issues';

type GateTests = NonNullable<GateResult['tests']>;
const tests = (failures: GateTests['failures'], failed = failures.length): GateTests => ({
  expected: 9,
  passed: 0,
  failed,
  skipped: 0,
  failures,
});
const gate = (more: Partial<GateResult>): GateResult => ({
  command: 'pytest test_a.py',
  language: 'python',
  status: 'failed',
  exitCode: 1,
  stderr: '',
  durationMs: 1,
  tier: 'medium',
  kind: 'test',
  reason: '1 of 9 tests failed.',
  explanation: null,
  evidence: 'in_process',
  receipt: null,
  tests: null,
  ...more,
});

const many = Array.from({ length: 20 }, (_, n) => ({
  id: `test_a.py::test_${n}`,
  message: `assert ${n} == 0`,
}));

describe('failed tests that decide', () => {
  it.each([
    ['test_a.py::test_adds', 'AssertionError: 3 != 4'],
    ['calc.test.ts::adds', 'expected 3 to be 4'],
    ['a.test.cjs', ''],
  ])('QEL-20 %s is named, and that it decides', (id, message) => {
    const [issue] = gateIssues(gate({ tests: tests([{ id, message }]) }));
    expect(issue).toMatchObject({ code: 'gate_failed', severity: 'high' });
    expect(issue?.message).toContain(
      `Failed: ${message === '' ? id : `${id} (${message})`}. A failed test decides`,
    );
  });

  it.each([
    [many.slice(0, 5), 5, null],
    [many, 20, ', and 15 more.'],
    [many, 31, ', and 26 more.'],
  ])(
    'QEL-20 of many, the first five are named and the others counted',
    (failures, failed, more) => {
      const text = failedTests(tests(failures, failed));
      expect(text).toContain('test_a.py::test_4');
      expect(text).not.toContain('test_a.py::test_5');
      expect(/, and \d+ more\./.exec(text)?.[0] ?? null).toBe(more);
    },
  );

  it.each([null, tests([])])('QEL-20 without a report of tests nothing is named', (report) => {
    expect(failedTests(report)).toBe('');
  });

  it('QEL-20 a compiler that failed names no tests', () => {
    expect(gateIssues(gate({ kind: 'compile', tests: tests(many) }))[0]?.message).not.toContain(
      'decides',
    );
  });
});
