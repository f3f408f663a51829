// Creates a new cluster atomically: in a temporary folder next to its final location, renamed when
// it is complete, so that a killed first start leaves nothing that looks like data.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from './failure.mjs';
import { isAlive, lastLine, run } from './processes.mjs';

/**
 * The file with the superuser's password, in the cluster's folder so that it moves with the data.
 */
export const passwordFile = 'assay.password';

/**
 * @typedef {import('./ordinary-user.mjs').OrdinaryUser} OrdinaryUser
 * @typedef {import('./postgres-binaries.mjs').Binaries} Binaries
 */

/**
 * @param {{ clusterDir: string, binaries: Binaries, user: OrdinaryUser | undefined, isDurable:
 * boolean }} input isDurable: false omits the fsyncs, for temporary clusters of tests
 */
export async function initCluster({ clusterDir, binaries, user, isDurable }) {
  removeLeftovers(clusterDir);
  const temporary = `${clusterDir}.init-${process.pid}`;
  const passwordPath = `${temporary}.password`;
  const identity = { uid: user?.uid, gid: user?.gid };
  const give = (/** @type {string} */ path) => user && chownSync(path, user.uid, user.gid);
  try {
    mkdirSync(temporary, { mode: 0o700 });
    give(temporary);
    const password = randomBytes(24).toString('base64url');
    writeFileSync(passwordPath, password, { mode: 0o600 });
    give(passwordPath);
    const init = await run(binaries.initdb, initArguments(temporary, passwordPath, isDurable), {
      ...identity,
      cwd: temporary,
      env: serverEnv(),
    });
    if (init.code !== 0)
      throw new Failure(
        `PostgreSQL could not create its data folder ${clusterDir}: ${reasonIn(init.output)}`,
      );
    await makeDatabase(temporary, binaries, identity);
    const finalPassword = join(temporary, passwordFile);
    writeFileSync(finalPassword, password, { mode: 0o600 });
    give(finalPassword);
    chmodSync(finalPassword, 0o600);
    // Replaces an empty folder; one with content was refused before.
    renameSync(temporary, clusterDir);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    rmSync(passwordPath, { force: true });
  }
}

/**
 * The built-in C.UTF-8 locale sorts and folds case the same way on every system, regardless of the
 * installed locales.
 * @param {string} dir
 * @param {string} passwordPath
 * @param {boolean} isDurable
 * @returns {string[]}
 */
function initArguments(dir, passwordPath, isDurable) {
  const locale = [
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const access = ['--username=assay', '--auth=scram-sha-256', `--pwfile=${passwordPath}`];
  return [`--pgdata=${dir}`, ...access, ...locale, ...(isDurable ? [] : ['--no-sync'])];
}

/**
 * Single-user mode needs neither a client nor a port.
 * @param {string} dir
 * @param {Binaries} binaries
 * @param {{ uid: number | undefined, gid: number | undefined }} identity
 */
async function makeDatabase(dir, binaries, identity) {
  const result = await run(binaries.postgres, ['--single', '-D', dir, '-j', 'postgres'], {
    ...identity,
    cwd: dir,
    env: serverEnv(),
    input: 'CREATE DATABASE assay;\n\n',
  });
  if (result.code !== 0 || /ERROR:|FATAL:/.test(result.output)) {
    throw new Failure(
      `PostgreSQL could not create the database "assay": ${reasonIn(result.output)}`,
    );
  }
}

/**
 * @param {string} output
 * @returns {string} the reason in its last line that has one
 */
export function reasonIn(output) {
  return lastLine(output, /FATAL:|PANIC:|ERROR:|error:/).replace(
    /^.*?(?=FATAL:|PANIC:|ERROR:)|^but /,
    '',
  );
}

/**
 * @returns {NodeJS.ProcessEnv} without the caller's PG* variables and locale
 */
export function serverEnv() {
  return {
    NODE_ENV: 'production',
    PATH: process.env.PATH ?? '',
    LANG: 'C',
    LC_ALL: 'C',
    TZ: 'UTC',
  };
}

/**
 * @param {string} clusterDir
 */
function removeLeftovers(clusterDir) {
  for (const name of readdirSync(dirname(clusterDir))) {
    const pid = name.startsWith(`${basename(clusterDir)}.init-`)
      ? Number.parseInt(name.slice(basename(clusterDir).length + 6), 10)
      : 0;
    if (pid && !isAlive(pid))
      rmSync(join(dirname(clusterDir), name), { recursive: true, force: true });
  }
}
