// An instance as a new user gets it: `npm start` on an empty data folder, isolated from this
// machine's own Assay instance.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findInstance, root } from '../data-dir.mjs';
import { Failure } from '../failure.mjs';
import { findFreePort } from '../postgres.mjs';
import { isAlive, run } from '../processes.mjs';

/** Includes a build if one is needed. */
const startTimeoutMs = 20 * 60_000;
/** Streams through the gateway get 30 seconds to finish. */
const stopTimeoutMs = 60_000;

/**
 * @typedef {object} NewInstance
 * @property {NodeJS.ProcessEnv} env for commands against the instance
 * @property {string} webUrl
 * @property {string} edgeUrl
 * @property {number} modelPort of a model server on this machine that the instance may call
 * @property {() => Promise<string>} start returns the link that creates the owner's account, once
 * everything runs
 * @property {() => Promise<void>} stop stops it like Ctrl+C, and removes its data
 */

/** @returns {Promise<NewInstance>} */
export async function createNewInstance() {
  const dataDir = mkdtempSync(join(tmpdir(), 'assay-first-hour-'));
  const [webPort, edgePort, modelPort] = await Promise.all([
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ]);
  /** @type {NodeJS.ProcessEnv} */
  const env = {
    ...withoutOperatorVariables(process.env),
    ASSAY_DATA_DIR: dataDir,
    ASSAY_WEB_PORT: String(webPort),
    ASSAY_EDGE_PORT: String(edgePort),
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${modelPort}`,
  };
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  return {
    env,
    webUrl: `http://localhost:${webPort}`,
    edgeUrl: `http://localhost:${edgePort}`,
    modelPort,
    start() {
      // In its own process group, which Ctrl+C in a terminal would signal.
      child = spawn('npm', ['start'], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      return ownerLinkOf(child);
    },
    async stop() {
      if (child?.pid !== undefined && isAlive(child.pid)) process.kill(-child.pid, 'SIGINT');
      // npm may end before its children.
      const until = Date.now() + stopTimeoutMs;
      while (
        findInstance(dataDir) !== undefined ||
        (child?.pid !== undefined && isAlive(child.pid))
      ) {
        if (Date.now() > until)
          throw new Failure(`the instance still runs a minute after Ctrl+C; its data: ${dataDir}`);
        await sleep(100);
      }
      // Processes that have just ended may still be writing logs.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
}

/**
 * Removes variables that an operator has set for another instance.
 *
 * @param {NodeJS.ProcessEnv} env @returns {NodeJS.ProcessEnv}
 */
function withoutOperatorVariables(env) {
  const operatorVariable =
    /^(ASSAY_(?!CHROMIUM$)|DATABASE_URL$|REDIS_URL$|(OPENAI|ANTHROPIC|GOOGLE)_API_KEY$|npm_)/;
  const cleaned = { ...env };
  // Node does not pass on undefined variables.
  for (const name of Object.keys(cleaned))
    if (operatorVariable.test(name)) cleaned[name] = undefined;
  return cleaned;
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function ownerLinkOf(child) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(
      () => reject(new Failure(`npm start is not ready after 20 minutes: ${printed.slice(-500)}`)),
      startTimeoutMs,
    );
    const read = (/** @type {Buffer} */ chunk) => {
      printed += chunk.toString();
      const link = /^ {2}Owner +(\S+)/m.exec(printed)?.[1];
      if (link === undefined || !/^ {2}Stop /m.test(printed)) return;
      clearTimeout(timer);
      resolve(link);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Failure(`npm start ended with ${code}: ${printed.slice(-500)}`));
    });
  });
}

/**
 * Runs a command in a shell, like a user who has copied it.
 * @param {string} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its output
 */
export async function runInShell(command, env) {
  const { code, output } = await run('sh', ['-ec', command], { cwd: root, env });
  if (code !== 0) throw new Failure(`the command ended with ${code}: ${output.slice(-500)}`);
  return output;
}
