// A whole instance on one machine: packages, build, PostgreSQL, migrations, web, edge, worker, and
// their shutdown.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBoxLauncher } from './box-launcher.mjs';
import { isPackage, makeDataDir, readSecret, root, takeInstance } from './data-dir.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { Failure, reportFailure } from './failure.mjs';
import { edgeFlags, workerFlags } from './node-flags.mjs';
import { killRunning, isAlive, lastLine, run } from './processes.mjs';
import { createProgress } from './progress.mjs';
import { noteInstance } from './running-instances.mjs';
import { prepareService } from './service-user.mjs';
import { checkPort, childEnv, readSettings } from './settings.mjs';
import { supervise, rotateLog } from './supervise.mjs';

/**
 * @typedef {import('./settings.mjs').Settings} Settings
 * @typedef {import('./progress.mjs').Progress} Progress
 * @typedef {import('./postgres.mjs').Cluster} Cluster
 * @typedef {import('./service-user.mjs').Service} Service
 */

const logNames = ['install', 'build', 'postgres', 'migrate', 'web', 'edge', 'worker'];

/**
 * Starts the instance and runs it until a signal ends it.
 * @param {{ isDev?: boolean }} [how] isDev: runs from the sources and watches them (`npm run dev`)
 */
export async function main({ isDev = false } = {}) {
  // A closed terminal, or a pipe without a reader, must not end the instance.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  /** @type {() => void} */
  let isSettled = () => {};
  /** @type {Promise<void>} */
  const settled = new Promise((resolve) => {
    isSettled = resolve;
  });
  const end = createEnd(settled);
  try {
    await start(readSettings(), { progress: createProgress(), end, isDev });
    isSettled();
  } catch (error) {
    isSettled();
    // After a signal, only the interrupted start can fail; the signal handler exits.
    if (end.isBegun()) return;
    await end.begin();
    process.exit(reportFailure(error));
  }
}

/**
 * Shutdown steps, run in reverse order, and the signals that trigger them.
 * @typedef {object} End
 * @property {(undo: () => Promise<void> | void) => Promise<void>} add runs `undo` at once, and
 *   fails, if the shutdown has started
 * @property {(kill: () => void) => void} addForce run by a second Ctrl+C
 * @property {() => boolean} isBegun
 * @property {() => Promise<void>} begin
 *
 * @param {Promise<void>} settled resolves when the start is complete or has failed
 * @returns {End}
 */
function createEnd(settled) {
  /** @type {(() => Promise<void> | void)[]} */
  const undos = [];
  /** @type {(() => void)[]} */
  const forces = [];
  /** @type {Promise<void> | undefined} */
  let ending;
  const begin = () => {
    ending ??= (async () => {
      killRunning();
      for (let undo = undos.pop(); undo; undo = undos.pop()) await undo();
      // Waits for a start step interrupted by a signal to end and clean up.
      await Promise.race([settled, sleep(20_000)]);
    })();
    return ending;
  };
  let firstSignal = 0;
  const onSignal = (/** @type {string} */ signal) => {
    if (firstSignal) {
      // npm forwards Ctrl+C to a child that the terminal has already signalled: that is not a
      // second Ctrl+C.
      if (signal !== 'SIGINT' || Date.now() - firstSignal < 1000) return;
      process.stdout.write('Stopping at once.\n');
      for (const kill of forces) kill();
      process.exit(1);
    }
    firstSignal = Date.now();
    process.stdout.write('\nStopping … (Ctrl+C again: at once)\n');
    begin().then(
      () => {
        process.stdout.write('Stopped.\n');
        process.exit(0);
      },
      (error) => process.exit(reportFailure(error)),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  endWithNpm();
  return {
    add: async (undo) => {
      if (!ending) return void undos.push(undo);
      await undo();
      throw new Failure('Stopped while starting.');
    },
    addForce: (kill) => void forces.push(kill),
    isBegun: () => ending !== undefined,
    begin,
  };
}

/**
 * @param {Settings} settings
 * @param {{ progress: Progress, end: End, isDev: boolean }} how
 */
async function start(settings, { progress, end, isDev }) {
  const { dataDir, host, webPort, edgePort, webUrl, edgeUrl } = settings;
  progress.line(`Assay starts. Data: ${dataDir}`);
  makeDataDir(dataDir);
  const lock = takeInstance(dataDir, { kind: 'start', webUrl, edgeUrl });
  if ('pid' in lock) throw new Failure(describeOtherInstance(dataDir, lock));
  await end.add(lock.release);
  end.addForce(lock.release);
  await end.add(noteInstance(dataDir));
  await checkPort({ host, port: webPort, who: 'console', variable: 'ASSAY_WEB_PORT' });
  await checkPort({ host, port: edgePort, who: 'API', variable: 'ASSAY_EDGE_PORT' });
  for (const name of logNames) rotateLog(logFile(settings, name));
  const secret = readSecret(dataDir);
  /** @type {import('./supervise.mjs').Child[]} */
  let children = [];
  await (isDev
    ? watchCode(settings, { progress, end, bundled: () => bundledOf(children) })
    : prepareCode(settings, progress));
  const databaseUrl = process.env.DATABASE_URL || (await startDatabase(settings, progress, end));
  lock.update({ databaseUrl });
  const service = isDev ? sameUser : prepareService(dataDir, progress.line);
  const env = { ...childEnv(settings, { secret, databaseUrl }), ...service.env };
  await progress.step('Database up to date', () => migrate(settings, env, service));
  // It needs the database only, so it is created while the processes start.
  const link = findOwnerLink(env, service);
  link.catch(() => {});
  children = await startProcesses(settings, env, { progress, end, service, isDev });
  greet(settings, await link, progress);
}

/**
 * @param {string} dataDir
 * @param {import('./data-dir.mjs').Instance} other
 * @returns {string}
 */
function describeOtherInstance(dataDir, other) {
  const where =
    other.kind === 'start'
      ? `process ${other.pid}, console at ${other.webUrl}`
      : `process ${other.pid}, an assay command`;
  return `Another instance runs on the data in ${dataDir} (${where}): stop it, or set ASSAY_DATA_DIR (and other ports) for a second one.`;
}

/**
 * @param {Settings} settings
 * @param {string} name
 * @returns {string}
 */
export function logFile(settings, name) {
  return join(settings.dataDir, 'logs', `${name}.log`);
}

/**
 * Installs the packages if they are out of date.
 * @param {Settings} settings
 * @param {Progress} progress
 */
async function preparePackages(settings, progress) {
  const { install, needsInstall } = await import('./install.mjs');
  if (!needsInstall()) return;
  const log = logFile(settings, 'install');
  await progress.step(
    'Packages installed',
    () => install({ log }),
    `takes a minute or two the first time; log: ${log}`,
  );
}

/** @type {Service} */
const sameUser = { user: undefined, root, dist: 'dist', node: process.execPath, env: {} };

/** @param {readonly import('./supervise.mjs').Child[]} children */
const bundledOf = (children) => children.filter(({ name }) => name !== 'web');

/**
 * Bundles edge and worker now and after each change, and then restarts them.
 * @param {Settings} settings
 * @param {{ progress: Progress, end: End, bundled: () => readonly import('./supervise.mjs').Child[]
 * }} means
 */
async function watchCode(settings, { progress, end, bundled }) {
  await preparePackages(settings, progress);
  const { watchBundles } = await import('./build.mjs');
  const onChange = () => {
    progress.line('Changed: edge and worker start again');
    for (const child of bundled()) child.restart();
  };
  await end.add(
    await progress.step('Bundled', () => watchBundles({ onChange, say: progress.line })),
  );
}

/**
 * Installs and builds everything that is out of date, in a checkout.
 * @param {Settings} settings
 * @param {Progress} progress
 */
export async function prepareCode(settings, progress) {
  if (isPackage) return;
  await preparePackages(settings, progress);
  const { build, needsBuild } = await import('./build.mjs');
  if (needsBuild()) {
    const log = logFile(settings, 'build');
    await progress.step('Built', () => build({ log }), `about half a minute; log: ${log}`);
  }
}

/**
 * Starts the embedded PostgreSQL, and keeps it running until the shutdown.
 * @param {Settings} settings
 * @param {Progress} progress
 * @param {End} end
 * @returns {Promise<string>} its URL, for the role without superuser rights
 */
async function startDatabase({ dataDir }, progress, end) {
  const { ensureCluster } = await import('./postgres.mjs');
  let cluster = await progress.step('PostgreSQL runs', () =>
    ensureCluster({ dataDir, log: progress.line }),
  );
  if (!cluster.started) progress.line(`  (it was still running as process ${cluster.pid})`);
  const { port } = cluster;
  let isOver = false;
  const watch = async () => {
    for (; !isOver; await sleep(250)) {
      if (isAlive(cluster.pid)) continue;
      progress.line(`! PostgreSQL (process ${cluster.pid}) ended; starting it again`);
      try {
        cluster = await ensureCluster({ dataDir, port, log: progress.line });
      } catch (error) {
        progress.line(`! ${error instanceof Error ? error.message : String(error)}`);
        await sleep(5000);
      }
    }
  };
  const watching = watch();
  // The immediate shutdown loses nothing that was committed; the next start recovers.
  end.addForce(() => void (isAlive(cluster.pid) && process.kill(cluster.pid, 'SIGQUIT')));
  await end.add(async () => {
    isOver = true;
    await watching;
    await cluster.stop();
  });
  const { ensureServiceRole } = await import('./service-role.mjs');
  return ensureServiceRole({ url: cluster.url, dataDir });
}

/**
 * @param {Settings} settings
 * @param {NodeJS.ProcessEnv} env
 * @param {Service} service
 */
export async function migrate(settings, env, service) {
  const log = logFile(settings, 'migrate');
  const result = await run(service.node, [`${service.dist}/migrate.js`], {
    ...identityOf(service),
    env,
    log,
  });
  if (result.code === 0) return;
  const reason = lastLine(result.stderr) || `it ended with code ${result.code}`;
  const databaseText = process.env.DATABASE_URL ? ' of DATABASE_URL' : '';
  throw new Failure(
    `The database${databaseText} could not be brought up to date: ${reason} (log: ${log})`,
  );
}

/**
 * @param {Service} service
 * @returns {{ cwd: string, uid: number | undefined, gid: number | undefined }}
 */
function identityOf({ root: cwd, user }) {
  return { cwd, uid: user?.uid, gid: user?.gid };
}

/**
 * A worker that dropped root gets a launcher that is still root, to create a user and a cgroup for
 * each sandbox.
 * @param {Service} service
 * @param {string} log
 * @returns {(() => import('node:net').Socket) | undefined}
 */
export function launcherFor({ user, dist }, log) {
  return user && (() => startBoxLauncher({ uid: user.uid, log, dist }));
}

/**
 * @param {Settings} settings
 * @param {Service} service
 * @param {'start' | 'dev'} [command] of Next
 * @returns {Record<'web' | 'edge' | 'worker', string[]>} the arguments of Node
 */
export function processArguments({ host, webPort }, { root: code, dist }, command = 'start') {
  // The dependencies of an installed package are in a folder above it.
  const next = createRequire(join(code, 'package.json')).resolve('next/dist/bin/next');
  return {
    // `next dev` passes its flags on to a child process, which has another channel. Like the edge,
    // web keeps idle connections open longer than proxies do.
    web: [
      ...(command === 'start' ? ['--import', './scripts/end-with-parent.mjs'] : []),
      next,
      command,
      '-H',
      host,
      '-p',
      String(webPort),
      ...(command === 'start' ? ['--keepAliveTimeout', '65000'] : []),
    ],
    edge: [...edgeFlags, `${dist}/edge.js`],
    worker: [...workerFlags, `${dist}/worker.js`],
  };
}

/**
 * @param {Settings} settings
 * @param {NodeJS.ProcessEnv} env
 * @param {{ progress: Progress, end: End, service: Service, isDev: boolean }} means
 */
async function startProcesses(settings, env, { progress, end, service, isDev }) {
  const local = ['0.0.0.0', '::'].includes(settings.host) ? '127.0.0.1' : settings.host;
  const readyUrl = `http://${local.includes(':') ? `[${local}]` : local}:${settings.webPort}/sign-in`;
  const children = Object.entries(processArguments(settings, service, isDev ? 'dev' : 'start')).map(
    ([name, args]) => {
      const url = name === 'web' ? readyUrl : undefined;
      // Streams through the gateway get 30 seconds to finish (R-69), and then the edge writes their
      // records.
      const stopTimeoutMs = name === 'edge' ? 45_000 : 10_000;
      const { root: cwd, node, user } = service;
      const log = logFile(settings, name);
      const launcher = name === 'worker' ? launcherFor(service, log) : undefined;
      const webEnv =
        isDev && name === 'web' ? { ...env, NODE_ENV: /** @type {const} */ ('development') } : env;
      const child = supervise(
        { name, args, cwd, env: webEnv, log, node, user, launcher, readyUrl: url, stopTimeoutMs },
        progress.line,
      );
      end.addForce(child.kill);
      return child;
    },
  );
  await end.add(async () => void (await Promise.all(children.map((child) => child.stop()))));
  await Promise.all(
    children.map((child) => progress.step(`${child.name} ready`, () => child.ready)),
  );
  return children;
}

/**
 * @param {Settings} settings
 * @param {string | null} link the link that creates the owner's account
 * @param {Progress} progress
 */
function greet({ webUrl, edgeUrl, dataDir }, link, { line }) {
  line('');
  line('Assay runs.');
  line(`  Console  ${webUrl}`);
  line(`  API      ${edgeUrl}`);
  line(`  Data     ${dataDir}`);
  if (link) line(`  Owner    ${link}  (opens once: creates the owner's account)`);
  line('  Stop     Ctrl+C');
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Service} service
 * @returns {Promise<string | null>} null if there is an owner
 */
async function findOwnerLink(env, service) {
  const result = await run(service.node, [`${service.dist}/admin.js`, 'owner-link', '--json'], {
    ...identityOf(service),
    env,
  });
  try {
    const { url } = JSON.parse(lastLine(result.output, /^\{/));
    return typeof url === 'string' ? url : null;
  } catch {
    throw new Failure(
      `The link that creates the owner's account could not be created: ${lastLine(result.stderr) || 'no answer'}`,
    );
  }
}
