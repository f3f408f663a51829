// An instance of this checkout for one command: PostgreSQL, edge and worker on a temporary data
// folder, with a project and a key (`assay eval run FILE --embedded`). It has no console. If the
// bundles of the checkout are not those of its sources, it makes its own: another instance may be
// running from them.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundle, needsBuild } from './build.mjs';
import { makeDataDir, readSecret, root } from './data-dir.mjs';
import { Failure } from './failure.mjs';
import { launcherFor, logFile, migrate, processArguments } from './instance.mjs';
import { ensureCluster, findFreePort } from './postgres.mjs';
import { lastLine, run } from './processes.mjs';
import { ensureServiceRole } from './service-role.mjs';
import { prepareService } from './service-user.mjs';
import { childEnv, readSettings } from './settings.mjs';
import { supervise } from './supervise.mjs';

/**
 * @typedef {import('./progress.mjs').Progress} Progress
 * @typedef {import('./service-user.mjs').Service} Service
 * @typedef {import('./settings.mjs').Settings} Settings
 * @typedef {{ ASSAY_URL: string, ASSAY_API_KEY: string }} Connection
 * @typedef {(() => void | Promise<void>)[]} Undos
 */

const project = 'embedded';

/**
 * Starts the instance, runs `work`, and removes the instance with its data.
 * @param {Progress} progress
 * @param {(connection: Connection, dist: string) => Promise<number>} work also takes the folder of
 * the bundles
 * @returns {Promise<number>} the result of `work`, or 130 if a signal came during the start
 */
export async function withEmbedded(progress, work) {
  let isStopped = false;
  const onSignal = () => {
    isStopped = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, onSignal);
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-embedded-'));
  // The user that runs PostgreSQL must pass through.
  chmodSync(dataDir, 0o711);
  /** @type {Undos} */
  const undos = [];
  try {
    makeDataDir(dataDir);
    const dist = needsBuild() ? await buildBundles(progress, undos) : 'dist';
    const connection = await start(dataDir, dist, { progress, undos });
    return isStopped ? 130 : await work(connection, dist);
  } finally {
    for (let undo = undos.pop(); undo; undo = undos.pop()) await undo();
    rmSync(dataDir, { recursive: true, force: true });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, onSignal);
  }
}

/**
 * @param {Progress} progress
 * @param {Undos} undos
 * @returns {Promise<string>} a folder that exists only for this run
 */
async function buildBundles(progress, undos) {
  const folder = mkdtempSync(join(root, '.embedded-'));
  undos.push(() => rmSync(folder, { recursive: true, force: true }));
  // The user that runs the processes must read it.
  chmodSync(folder, 0o755);
  await progress.step('Bundled', () => bundle(folder));
  return basename(folder);
}

/**
 * @param {string} dataDir
 * @param {string} dist folder of the bundles
 * @param {{ progress: Progress, undos: Undos }} means undos takes the step that stops each part
 * @returns {Promise<Connection>}
 */
async function start(dataDir, dist, { progress, undos }) {
  const settings = readSettings({
    NODE_ENV: 'production',
    ASSAY_DATA_DIR: dataDir,
    ASSAY_WEB_PORT: String(await findFreePort()),
    ASSAY_EDGE_PORT: String(await findFreePort()),
  });
  const cluster = await progress.step('PostgreSQL runs', () =>
    ensureCluster({ dataDir, settings: { fsync: 'off' }, log: progress.line }),
  );
  undos.push(() => cluster.stop());
  const service = prepareService(dataDir, progress.line, dist);
  if (dist !== 'dist' && service.root !== root)
    undos.push(() => rmSync(service.root, { recursive: true, force: true }));
  const databaseUrl = await ensureServiceRole({ url: cluster.url, dataDir });
  const env = {
    ...childEnv(settings, { secret: readSecret(dataDir, { NODE_ENV: 'production' }), databaseUrl }),
    ...service.env,
    REDIS_URL: undefined,
  };
  await progress.step('Database up to date', () => migrate(settings, env, service));
  const key = await makeKey(env, service);
  await startProcesses(settings, env, { progress, service, undos });
  return { ASSAY_URL: settings.edgeUrl, ASSAY_API_KEY: key };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {Service} service
 * @returns {Promise<string>}
 */
async function makeKey(env, service) {
  await runAdmin(['projects', 'create', project], env, service);
  const scopes = ['--scopes', 'ingest,verify,read,write'];
  const { key } = await runAdmin(['keys', 'create', '--project', project, ...scopes], env, service);
  return String(key);
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @param {Service} service
 * @returns {Promise<Record<string, unknown>>}
 */
async function runAdmin(args, env, { node, root: cwd, dist, user }) {
  const result = await run(node, [`${dist}/admin.js`, ...args, '--json'], {
    cwd,
    uid: user?.uid,
    gid: user?.gid,
    env,
  });
  if (result.code === 0) return JSON.parse(lastLine(result.output, /^\{/));
  throw new Failure(
    `The embedded instance could not be set up: ${lastLine(result.stderr) || `assay ${args.join(' ')} ended with code ${result.code}`}`,
  );
}

/**
 * @param {Settings} settings
 * @param {NodeJS.ProcessEnv} env
 * @param {{ progress: Progress, service: Service, undos: Undos }} means
 */
async function startProcesses(settings, env, { progress, service, undos }) {
  const { edge, worker } = processArguments(settings, service);
  const { root: cwd, node, user } = service;
  for (const [name, args] of Object.entries({ edge, worker })) {
    const log = logFile(settings, name);
    const launcher = name === 'worker' ? launcherFor(service, log) : undefined;
    const child = supervise({ name, args, cwd, env, log, node, user, launcher }, progress.line);
    undos.push(child.stop);
    await progress.step(`${name} ready`, () => child.ready);
  }
}
