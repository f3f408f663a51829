// System requirements of the tests' sandboxes and gates, bubblewrap and compilers below /usr, and
// of the tests of the Python client; installed with apt if the user is root. A toolchain in a home
// folder does not count, since sandboxes do not see it. The product runs without them, and reports
// that they are missing.
import { existsSync } from 'node:fs';
import { isRoot } from './ordinary-user.mjs';
import { lastLine, run } from './processes.mjs';

/** Programs with their Debian packages, the sandbox itself first. */
const needs = [
  ['/usr/bin/bwrap', 'bubblewrap'],
  ['/usr/bin/python3', 'python3'],
  ['/usr/bin/pytest', 'python3-pytest'],
  ['/usr/bin/pyproject-build', 'python3-build'],
  ['/usr/lib/python3/dist-packages/setuptools', 'python3-setuptools'],
  ['/usr/lib/python3/dist-packages/wheel', 'python3-wheel'],
  ['/usr/bin/mypy', 'mypy'],
  ['/usr/bin/go', 'golang-go'],
  ['/usr/bin/cargo', 'cargo'],
  ['/usr/bin/javac', 'default-jdk-headless'],
];

/** @returns {string[]} packages that are missing */
function missingPackages() {
  return needs.flatMap(([program, name]) =>
    program && name && !existsSync(program) ? [name] : [],
  );
}

/**
 * @param {string} log file that takes apt's output
 * @returns {Promise<{ missing: string | null }>} missing packages and the fix in one sentence; null
 *   if none are missing
 */
export async function ensureBox(log) {
  const missingBefore = missingPackages();
  if (missingBefore.length === 0) return { missing: null };
  const advice = `Debian: apt-get install ${missingBefore.join(' ')}`;
  if (!isRoot() || !existsSync('/usr/bin/apt-get'))
    return { missing: `Not installed: ${missingBefore.join(', ')} (${advice}).` };
  process.stdout.write(`… ${missingBefore.join(', ')} (apt-get install; log: ${log})\n`);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  let failureText = '';
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...missingBefore]]) {
    const result = await run('apt-get', ['-q', ...args], { env, log });
    if (result.code !== 0) failureText = lastLine(result.output, /^E:/);
  }
  const stillMissing = missingPackages();
  return {
    missing:
      stillMissing.length === 0
        ? null
        : `Could not be installed: ${stillMissing.join(', ')} ${failureText} (log: ${log}).`,
  };
}
