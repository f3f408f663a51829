// The box launcher for a worker that drops root. The supervisor starts it while it is root, and the
// worker calls it through an inherited socket (docs/how-to/run-code-in-a-sandbox.md).
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { root } from './data-dir.mjs';

// An empty environment: this process stays root, and needs no secret.
const noVariables = /** @type {NodeJS.ProcessEnv} */ ({});

/**
 * @param {{ uid: number, log: string, dist: string }} options uid of the worker, above 0; file that
 * takes the launcher's output; folder of the bundles
 * @returns {Socket} the worker's end; the launcher ends when it is closed everywhere
 */
export function startBoxLauncher({ uid, log, dist }) {
  const file = openSync(log, 'a');
  const args = [`${dist}/box-launcher.js`, String(uid), process.env.ASSAY_BOX_CGROUP ?? ''];
  // Runs the code of this checkout, which root owns, not a copy that the worker's user can read or
  // write.
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: noVariables,
    stdio: ['ignore', file, file, 'pipe'],
  });
  closeSync(file);
  child.once('error', () => {});
  child.unref();
  const socket = child.stdio[3];
  if (!(socket instanceof Socket)) throw new Error('the box launcher has no socket');
  return socket;
}
