// Decides whether a test run is a pass: the runner itself must exit with 0 and a complete report,
// every expected test must run and pass, and no function of the runner may be changed. Anything
// else is not a pass and has a reason.
import type { BoxResult } from '../../../sandbox';
import type { GateResult, GateTests } from '../gate';
import { judgeStop } from '../run-compile';
import type { TestReport } from './report';

export interface JudgedTests {
  readonly status: GateResult['status'];
  readonly reason: string | null;
  /** The observed facts, if the reason is `unproven`. */
  readonly explanation: string | null;
  readonly tests: GateTests | null;
}

export function judgeTests(result: BoxResult, report: TestReport): JudgedTests {
  const tests = countTests(report);
  const stopped = judgeStop(result);
  if (stopped !== null) return { ...stopped, tests: stopped.status === 'not_run' ? null : tests };
  if (report.tampered !== null) {
    // A report that other code wrote to proves neither a pass nor a failure.
    const explanation = `The test run was tampered with: ${report.tampered}.`;
    return { status: 'neutral', reason: 'unproven', explanation, tests: null };
  }
  if (report.unproven !== null) {
    const explanation = `The tests cannot be isolated from the code: ${report.unproven.slice(0, 300)}.`;
    return { status: 'neutral', reason: 'unproven', explanation, tests: null };
  }
  const reason = faultOfReport(result, report);
  return { status: reason === null ? 'passed' : 'failed', reason, explanation: null, tests };
}

function faultOfReport({ exitCode }: BoxResult, report: TestReport): string | null {
  const { expected, passed, failed, skipped, isComplete } = report;
  if (failed.size > 0)
    return `${failed.size} of ${expected.size === 0 ? failed.size + passed.size : expected.size} tests failed.`;
  if (!isComplete) return `The tests ended before the runner did (exit code ${exitCode}).`;
  const missing = [...expected].filter((id) => !passed.has(id) && !skipped.has(id));
  if (missing.length > 0)
    return `${missing.length} of ${expected.size} expected tests did not run: ${missing.slice(0, 3).join(', ')}.`;
  if (skipped.size > 0) return `${skipped.size} tests were skipped.`;
  if (passed.size === 0) return 'No test ran.';
  return exitCode === 0 ? null : `The runner ended with exit code ${exitCode}.`;
}

function countTests({ expected, passed, failed, skipped }: TestReport): GateTests {
  const failures = [...failed]
    .slice(0, 20)
    .map(([id, message]) => ({ id: id.slice(0, 300), message: message.slice(0, 500) }));
  return {
    expected: expected.size,
    passed: passed.size,
    failed: failed.size,
    skipped: skipped.size,
    failures,
  };
}
