// The browser of the end-to-end tests: the system's own Chromium, installed with apt if the user is
// root.
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isRoot } from './ordinary-user.mjs';
import { lastLine, run } from './processes.mjs';

// The headless shell does the same work as the browser in less time;
// ASSAY_CHROMIUM=/usr/bin/chromium selects the browser.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const macApps = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * @returns {string | undefined} path of the browser
 */
export function findChromium() {
  const configuredPath = process.env.ASSAY_CHROMIUM;
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => names.map((name) => join(dir, name)));
  return [...(configuredPath ? [configuredPath] : []), ...onPath, ...macApps].find(isExecutable);
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
export async function ensureChromium(log) {
  const found = findChromium();
  if (found) return { path: found };
  const advice =
    'install Chromium (Debian: apt-get install chromium), or set ASSAY_CHROMIUM to its path';
  if (!isRoot() || !existsSync('/usr/bin/apt-get'))
    return { missing: `No Chromium was found: ${advice}.` };
  process.stdout.write(`… Chromium (apt-get install; log: ${log})\n`);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string[]} */ ...args) => run('apt-get', ['-q', ...args], { env, log });
  const add = (/** @type {string} */ name) =>
    apt('install', '-y', '--no-install-recommends', name, 'fonts-liberation');
  let result = await apt('update');
  // Not every distribution packages the shell separately.
  if (result.code === 0) result = await add('chromium-headless-shell');
  if (result.code !== 0) result = await add('chromium');
  if (result.code !== 0)
    return {
      missing: `Chromium could not be installed: ${lastLine(result.output, /^E:/)} (log: ${log}); ${advice}.`,
    };
  const installed = findChromium();
  return installed
    ? { path: installed }
    : { missing: `apt-get installed no Chromium (log: ${log}): ${advice}.` };
}
