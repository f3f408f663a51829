// npm and npx do not forward SIGTERM: a supervisor that stops them would leave their children
// running. Therefore this process stops when the npm that started it has exited.
import { readFileSync } from 'node:fs';
import { isAlive, startTimeOf } from './processes.mjs';

const pollMs = 1000;

/**
 * Sends this process SIGTERM when its parent npm ends. Does nothing without npm or without /proc.
 */
export function endWithNpm() {
  if (process.env.npm_execpath === undefined) return;
  const npm = npmAbove();
  const startTime = npm === null ? '' : startTimeOf(npm);
  if (npm === null || startTime === '') return;
  const timer = setInterval(() => {
    if (isAlive(npm) && startTimeOf(npm) === startTime) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, pollMs);
  timer.unref();
}

/**
 * npm runs a script through a shell, which may outlive it: npm is the parent, or the shell's
 * parent.
 * @returns {number | null}
 */
function npmAbove() {
  const parent = process.ppid;
  const stat = statOf(parent);
  if (stat === null) return null;
  return ['sh', 'dash', 'bash'].includes(stat.name) ? stat.parent : parent;
}

/**
 * @param {number} pid
 * @returns {{ name: string, parent: number } | null}
 */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const behind = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return {
      name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
      parent: Number(behind[1]),
    };
  } catch {
    return null;
  }
}
