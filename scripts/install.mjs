// Installs the npm packages if package-lock.json or the patches (patches/) have changed since the
// last installation.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './data-dir.mjs';
import { Failure } from './failure.mjs';
import { lastLine, run } from './processes.mjs';

const lockFile = join(root, 'package-lock.json');
const patches = join(root, 'patches');
const stampFile = join(root, 'node_modules', '.assay-install');

/** @returns {string} */
function currentStamp() {
  const hash = createHash('sha256').update(readFileSync(lockFile));
  for (const name of readdirSync(patches).toSorted())
    hash.update(readFileSync(join(patches, name)));
  return hash.update(`${process.platform}-${process.arch}`).digest('hex');
}

/** @returns {boolean} */
export function needsInstall() {
  return !existsSync(stampFile) || readFileSync(stampFile, 'utf8').trim() !== currentStamp();
}

/**
 * `npm install` instead of `npm ci`: a registry may lack the optional packages of other platforms,
 * which is an error for `npm ci`. The versions come from the lock file, which stays unchanged.
 * @param {{ log: string, echo?: boolean }} options log: file for npm's output
 */
export async function install({ log, echo = false }) {
  const lock = readFileSync(lockFile);
  rmSync(stampFile, { force: true });
  writeFileSync(log, '');
  // The build also needs the development packages, regardless of NODE_ENV.
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--include=dev',
    '--include=optional',
  ];
  const result = await run('npm', args, { cwd: root, log, echo });
  if (!readFileSync(lockFile).equals(lock)) writeFileSync(lockFile, lock);
  if (result.code === 127)
    throw new Failure(
      `The packages could not be installed: npm was not found (${result.stderr.trim()}).`,
    );
  if (result.code !== 0)
    throw new Failure(
      `The packages could not be installed: ${npmReason(result.output)} (log: ${log})`,
    );
  writeFileSync(stampFile, `${currentStamp()}\n`);
}

/**
 * npm's last error lines refer to its own log; the reason is in the lines before them.
 * @param {string} output
 * @returns {string}
 */
function npmReason(output) {
  const lines = output
    .split('\n')
    .filter((line) => !/A complete log of this run|Log files were not written|_logs/.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, 'npm error '));
  return (
    lastLine(lines.join('\n'), /^npm error \S/).replace(/^npm error /, '') ||
    'npm failed without a message'
  );
}
