// Sandboxes of an ordinary user. Their slots get users and cgroups from a launcher that runs as
// root, as the supervisor starts it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Socket } from 'node:net';
import { root } from '../scripts/data-dir.mjs';
import { startBoxRunner, type BoxRunner, strangerUid } from './boxes';

/** @returns sandboxes of a child that uses a launcher; the launcher ends with the child */
export function mappedBoxes(): BoxRunner {
  const entry = join(root, 'workers', 'box-launcher.ts');
  const launcher = spawn(process.execPath, ['--import', 'tsx', entry, String(strangerUid)], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => launcher.once('exit', () => resolve()));
  const socket = launcher.stdio[3];
  if (!(socket instanceof Socket)) throw new Error('the box launcher has no socket');
  const boxes = startBoxRunner({
    uid: strangerUid,
    inherited: [socket],
    env: { ASSAY_TEST_LAUNCHER_FD: '3' },
  });
  // The child has its own copy; this one would keep the launcher alive.
  socket.destroy();
  return {
    ...boxes,
    async close() {
      await boxes.close();
      await ended;
    },
  };
}
