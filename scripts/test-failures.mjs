// Lists the failures with the first lines of their messages, so that the end of a long log is
// enough to read.
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './data-dir.mjs';
import { readReport } from './test-counts.mjs';

/** @typedef {{ status?: string, fullName?: string, failureMessages?: string[] }} Assertion */
/**
 * @typedef {{ name?: string, status?: string, message?: string, assertionResults?: Assertion[] }}
 * TestFile
 */
/** @typedef {{ status?: string, results?: { error?: { message?: string } }[] }} Attempts */
/** @typedef {{ title?: string, file?: string, ok?: boolean, tests?: Attempts[] }} Spec */
/** @typedef {{ title?: string, specs?: Spec[], suites?: Suite[] }} Suite */

const maxLines = 12;
const maxUnnamedLines = 40;

/**
 * @param {string} title
 * @param {string | undefined} message
 * @returns {string}
 */
function describeOne(title, message) {
  const lines = stripVTControlCharacters(message ?? '')
    .trim()
    .split('\n')
    .slice(0, maxLines);
  return [`✗ ${title}`, ...lines.map((line) => `    ${line}`)].join('\n');
}

/**
 * @param {string} file report of vitest's json reporter
 * @returns {string[]} one text for each failed test, and for each file that could not be run
 */
export function describeVitestFailures(file) {
  const report = /** @type {{ testResults?: TestFile[] } | undefined} */ (readReport(file));
  return (report?.testResults ?? []).flatMap(
    ({ name = '', status, message, assertionResults = [] }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      const path = relative(root, name);
      if (failed.length === 0) return status === 'failed' ? [describeOne(path, message)] : [];
      return failed.map((test) =>
        describeOne(`${path} › ${test.fullName}`, test.failureMessages?.[0]),
      );
    },
  );
}

/**
 * Describes a part that failed although each of its tests passed: an error outside all tests, or
 * during shutdown.
 * @param {string} name of the part
 * @param {number} code its exit code
 * @param {string} end the end of its output
 * @returns {string} the lines from "Unhandled" on, or the last lines
 */
export function describeUnnamed(name, code, end) {
  const lines = stripVTControlCharacters(end).trim().split('\n');
  const from = lines.findIndex((line) => /Unhandled/.test(line));
  const shown =
    from < 0 ? lines.slice(-maxUnnamedLines) : lines.slice(from, from + maxUnnamedLines);
  return [
    `✗ ${name} ended with exit code ${code}, and no test failed`,
    ...shown.map((line) => `    ${line}`),
  ].join('\n');
}

/**
 * @param {Suite} suite
 * @returns {Spec[]}
 */
function specsOf(suite) {
  return [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
}

/**
 * @param {string} file report of playwright's json reporter
 * @returns {string[]} one text for each journey that failed on every attempt
 */
export function describePlaywrightFailures(file) {
  const report = /** @type {{ suites?: Suite[] } | undefined} */ (readReport(file));
  const failed = (report?.suites ?? []).flatMap(specsOf).filter((spec) => spec.ok === false);
  return failed.map((spec) => {
    const message = (spec.tests ?? [])
      .flatMap((test) => test.results ?? [])
      .find((result) => result.error)?.error?.message;
    return describeOne(`e2e/${spec.file} › ${spec.title}`, message);
  });
}
