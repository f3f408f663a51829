// Adds up the reports of the parts of `npm test`. A part that fails without a failed test counts as
// one failure, so that the last line never contradicts the exit code.
import { readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/** @type {Counts} */
const none = { passed: 0, failed: 0, skipped: 0 };

/**
 * @param {Counts[]} parts
 * @returns {Counts}
 */
export function addCounts(parts) {
  return parts.reduce(
    (sum, part) => ({
      passed: sum.passed + part.passed,
      failed: sum.failed + part.failed,
      skipped: sum.skipped + part.skipped,
    }),
    none,
  );
}

/**
 * @param {Counts} counts
 * @returns {string} `N passed, N failed`, and `, N skipped` if there are any
 */
export function describeCounts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/**
 * @param {string} file
 * @returns {unknown} undefined without a readable report
 */
export function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * @param {Counts} counts
 * @param {number} code the part's exit code
 * @returns {Counts}
 */
function withExitCode(counts, code) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {string} file report of vitest's json reporter
 * @param {number} code
 * @returns {Counts}
 */
export function countVitest(file, code) {
  const report = /** @type {Record<string, number> | undefined} */ (readReport(file));
  if (!report) return { ...none, failed: 1 };
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numTodoTests = 0 } = report;
  return withExitCode(
    { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests },
    code,
  );
}

/**
 * @param {string} file report of playwright's json reporter
 * @param {number} code
 * @returns {Counts} a test that passed only on a retry counts as passed, as in playwright's exit
 * code
 */
export function countPlaywright(file, code) {
  const report = /** @type {{ stats?: Record<string, number> } | undefined} */ (readReport(file));
  if (!report?.stats) return { ...none, failed: 1 };
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report.stats;
  return withExitCode({ passed: expected + flaky, failed: unexpected, skipped }, code);
}

/**
 * Each step of verify counts as one test, except the unit tests, which have their own report.
 * @param {string} file
 * @param {string} unitReport
 * @param {number} code
 * @returns {Counts}
 */
export function countVerify(file, unitReport, code) {
  const report = /** @type {{ steps?: { name: string, ok: boolean }[] } | undefined} */ (
    readReport(file)
  );
  if (!report?.steps) return { ...none, failed: 1 };
  const unit = report.steps.find((step) => step.name === 'unit');
  const otherSteps = report.steps.filter((step) => step !== unit);
  const passed = otherSteps.filter((step) => step.ok).length;
  const steps = { passed, failed: otherSteps.length - passed, skipped: 0 };
  return withExitCode(addCounts([steps, countVitest(unitReport, unit?.ok ? 0 : 1)]), code);
}
