// The Redis server of the tests: the system's own, installed with apt if the user is root. The
// product does not need one.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isRoot } from './ordinary-user.mjs';
import { lastLine, run } from './processes.mjs';

const places = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin'];

/**
 * @returns {string | undefined} path of redis-server
 */
export function findRedis() {
  const configuredPath = process.env.ASSAY_REDIS_SERVER;
  const dirs = [...(process.env.PATH ?? '').split(delimiter), ...places];
  return [
    ...(configuredPath ? [configuredPath] : []),
    ...dirs.map((dir) => join(dir, 'redis-server')),
  ].find(isExecutable);
}

/**
 * @param {string} path
 * @returns {boolean}
 */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} log file that takes apt's output
 * @returns {Promise<{ path: string } | { missing: string }>} missing contains the fix
 */
export async function ensureRedis(log) {
  const found = findRedis();
  if (found) return { path: found };
  const advice =
    'install redis-server (Debian: apt-get install redis-server), or set ASSAY_REDIS_SERVER to its path';
  if (!isRoot() || !existsSync('/usr/bin/apt-get'))
    return { missing: `No redis-server was found: ${advice}.` };
  process.stdout.write(`… redis-server (apt-get install; log: ${log})\n`);
  // With RUNLEVEL 1 the package starts no service.
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'redis-server']]) {
    const result = await run('apt-get', ['-q', ...args], { env, log });
    if (result.code !== 0)
      return {
        missing: `redis-server could not be installed: ${lastLine(result.output, /^E:/)} (log: ${log}); ${advice}.`,
      };
  }
  const installed = findRedis();
  return installed
    ? { path: installed }
    : { missing: `apt-get installed no redis-server (log: ${log}): ${advice}.` };
}
