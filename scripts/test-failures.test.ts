import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from './data-dir.mjs';
import {
  describePlaywrightFailures,
  describeUnnamed,
  describeVitestFailures,
} from './test-failures.mjs';

const dir = mkdtempSync(join(tmpdir(), 'assay-failures-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function report(name: string, content: unknown): string {
  const file = join(dir, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test('vitest: each failed test by file and name with its message, and a file that could not be run', () => {
  const file = report('vitest.json', {
    testResults: [
      {
        name: join(root, 'server', 'a.test.ts'),
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'adds' },
          {
            status: 'failed',
            fullName: 'takes away',
            failureMessages: ['\u001B[31mexpected 1 to be 2\u001B[39m\n    at a.test.ts:3'],
          },
        ],
      },
      {
        name: join(root, 'server', 'b.test.ts'),
        status: 'failed',
        message: 'Cannot find module',
        assertionResults: [],
      },
      {
        name: join(root, 'server', 'c.test.ts'),
        status: 'passed',
        assertionResults: [{ status: 'passed', fullName: 'stays' }],
      },
    ],
  });
  expect(describeVitestFailures(file)).toEqual([
    '✗ server/a.test.ts › takes away\n    expected 1 to be 2\n        at a.test.ts:3',
    '✗ server/b.test.ts\n    Cannot find module',
  ]);
});

test('playwright: a failed journey, at any depth; one that passed when repeated is not named', () => {
  const failed = {
    title: 'opens',
    file: 'home.spec.ts',
    ok: false,
    tests: [{ results: [{ error: { message: 'not visible' } }] }],
  };
  const flaky = {
    title: 'closes',
    file: 'home.spec.ts',
    ok: true,
    tests: [{ results: [{ error: { message: 'slow' } }, {}] }],
  };
  const file = report('e2e.json', { suites: [{ specs: [flaky], suites: [{ specs: [failed] }] }] });
  expect(describePlaywrightFailures(file)).toEqual(['✗ e2e/home.spec.ts › opens\n    not visible']);
});

test('a part that failed without a failed test is reported by its output', () => {
  const lines = Array.from({ length: 60 }, (_, line) => `line ${line}`);
  expect(describeUnnamed('integration', 1, lines.join('\n')).split('\n')).toHaveLength(41);
  expect(
    describeUnnamed(
      'integration',
      1,
      [...lines, '⎯⎯ Unhandled Errors ⎯⎯', 'Error: lost'].join('\n'),
    ),
  ).toBe(
    '✗ integration ended with exit code 1, and no test failed\n    ⎯⎯ Unhandled Errors ⎯⎯\n    Error: lost',
  );
});

test('a long message is cut, and a missing report names nothing', () => {
  const message = Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\n');
  const file = report('long.json', {
    testResults: [{ name: join(root, 'a.ts'), status: 'failed', message }],
  });
  expect(describeVitestFailures(file).join('\n').split('\n')).toHaveLength(13);
  expect(describeVitestFailures(join(dir, 'none.json'))).toEqual([]);
  expect(describePlaywrightFailures(join(dir, 'none.json'))).toEqual([]);
});
