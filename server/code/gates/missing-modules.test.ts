import { describe, expect, it } from 'vitest';
import type { GateFile } from './gate';
import { environmentOfTests, type FailedRun } from './missing-modules';
import type { Boxes } from './second-chance';
import type { TestReport } from './tests/report';

const tool = { program: '/usr/bin/node', args: [], binds: [], versionArgs: [] };
const box: Boxes = {
  run: () => Promise.reject(new Error('no box is needed')),
  runPair: () => Promise.reject(new Error('no box is needed')),
};
const files: readonly GateFile[] = [
  {
    path: 'web.js',
    content:
      "const { Site } = require('quillforge');\nconst more = require('@quill/forge/web');\nrequire('./util');\n",
  },
  { path: 'a.test.js', content: "const { site } = require('./web');\ntest('serves', () => {});\n" },
];

const report = (
  failed: Readonly<Record<string, string>>,
  more: Partial<TestReport> = {},
): TestReport => ({
  isComplete: true,
  expected: new Set(['a.test.js::serves']),
  passed: new Set(),
  failed: new Map(Object.entries(failed)),
  skipped: new Set(),
  tampered: null,
  unproven: null,
  ...more,
});
const reasonOf = (given: TestReport, output = ''): Promise<string | null> => {
  const run: FailedRun = {
    box,
    tool,
    language: 'typescript',
    files,
    report: given,
    output,
    signal: new AbortController().signal,
  };
  return environmentOfTests(run);
};

describe('why tests failed', () => {
  it.each([
    ["Cannot find module 'quillforge' from 'web.js'", 'quillforge'],
    ["Error: Cannot find module 'quillforge' Require stack:", 'quillforge'],
    [
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'quillforge' imported from /box/web.js",
      'quillforge',
    ],
    ['Failed to resolve import "quillforge" from "web.js". Does the file exist?', 'quillforge'],
    ["Cannot find module '@quill/forge/web' from 'web.js'", '@quill/forge'],
    ["Cannot find module './util' from 'web.js'", null],
    ["Cannot find module 'quillforgery' from 'web.js'", null],
    ["Cannot find module 'fs' from 'web.js'", null],
    ['expected 1 to be 2', null],
  ])('QEL-30 %s: the package %s', async (message, name) => {
    const reason = await reasonOf(report({ 'a.test.js': message }));
    expect(/not in the box: ([^ ]+)\./.exec(reason ?? '')?.[1] ?? null).toBe(name);
  });

  const tap = (...errors: readonly string[]): string =>
    errors
      .map(
        (error, i) =>
          `not ok ${i + 1} - a\n  ---\n  error: ${error}\n  code: 'ERR_TEST_FAILURE'\n  ...\n`,
      )
      .join('');
  it.each([
    [tap("'Cannot find module ''quillforge'''".replaceAll("''", "'")), true],
    [tap(`"Cannot find module 'quillforge'"`.replaceAll('"', "'")), true],
    [tap("'1 == 2'"), false],
    [tap("'Cannot find module 'quillforge''", "'1 == 2'"), false],
    [tap("'Cannot find module 'quillforge''", '|-\n    Expected values to be equal:'), false],
    [`${tap("'Cannot find module 'quillforge''")}not ok 2 - b\n`, false],
    ['', false],
  ])(
    'QEL-30 the words of a failed file of Node, in its output: %j: excused: %s',
    async (output, isExcused) => {
      expect((await reasonOf(report({ 'a.test.js': 'exit code 1' }), output)) !== null).toBe(
        isExcused,
      );
    },
  );

  const missing = "Cannot find module 'quillforge' from 'web.js'";
  it.each([
    [
      'a test of another file did not run',
      report(
        { 'a.test.js': missing },
        { expected: new Set(['a.test.js::serves', 'b.test.js::adds']) },
      ),
    ],
    ['the run did not end', report({ 'a.test.js': missing }, { isComplete: false })],
    [
      'another test was skipped',
      report({ 'a.test.js': missing }, { skipped: new Set(['b.test.js::adds']) }),
    ],
    [
      'another test failed',
      report({ 'a.test.js': missing, 'b.test.js::adds': 'expected 1 to be 2' }),
    ],
    ['nothing failed', report({})],
  ])('QEL-30 a missing package excuses nothing where %s', async (_what, given) => {
    expect(await reasonOf(given)).toBeNull();
  });
});
