import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  addCounts,
  countPlaywright,
  countVerify,
  countVitest,
  describeCounts,
} from './test-counts.mjs';

const dir = mkdtempSync(join(tmpdir(), 'assay-counts-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function report(name: string, content: unknown): string {
  const file = join(dir, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const vitest = report('vitest.json', {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
});

test('vitest: pending and planned tests are skipped', () => {
  expect(countVitest(vitest, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
});

test('a part that fails without a failed test counts one failure, and so does a missing report', () => {
  expect(countVitest(vitest, 1)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  expect(countVitest(join(dir, 'none.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(countPlaywright(join(dir, 'none.json'), 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('playwright: expected and flaky passed, unexpected failed', () => {
  const file = report('e2e.json', { stats: { expected: 3, unexpected: 2, flaky: 1, skipped: 4 } });
  expect(countPlaywright(file, 1)).toEqual({ passed: 4, failed: 2, skipped: 4 });
});

test('verify: each step is a test, and the unit tests are counted one by one', () => {
  const steps = [
    { name: 'types', ok: true },
    { name: 'lint', ok: false },
    { name: 'unit', ok: true },
  ];
  expect(countVerify(report('verify.json', { steps }), vitest, 1)).toEqual({
    passed: 6,
    failed: 1,
    skipped: 2,
  });
});

test('the line at the end', () => {
  expect(describeCounts(addCounts([]))).toBe('0 passed, 0 failed');
  const one = { passed: 1, failed: 2, skipped: 0 };
  expect(describeCounts(addCounts([one, one]))).toBe('2 passed, 4 failed');
  expect(describeCounts({ ...one, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped');
});
