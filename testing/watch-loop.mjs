// Preloaded into a process under test (`node --import`). Answers the message {ask: n} with
// {answer<n>: true, stallMs, cpuMs, heapBytes}, measured since the previous message. A stall is
// processor time that the main thread itself spent between two turns of the event loop; waiting for
// a processor on a machine shared by a test run does not count. With {collect: true} it collects
// garbage first.
import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const everyMs = 5;
let longestMs = 0;
let at = performance.now();
let spent = mainCpuMs();
let begun = process.cpuUsage();

/**
 * Processor time of the main thread only, whose id is that of the process: pool threads may compute
 * concurrently (proc(5), schedstat).
 */
function mainCpuMs() {
  try {
    return (
      Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'latin1').split(' ', 1)[0]) /
      1e6
    );
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

function collectGarbage() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  setFlagsFromString('--no-expose-gc');
}

function measure() {
  const now = performance.now();
  const mainMs = mainCpuMs();
  longestMs = Math.max(longestMs, Math.min(now - at - everyMs, mainMs - spent));
  at = now;
  spent = mainMs;
}

if (isMainThread) {
  setInterval(measure, everyMs).unref();
  process.on('message', (/** @type {Record<string, unknown>} */ message) => {
    if (typeof message.ask !== 'number') return;
    const now = process.cpuUsage();
    const cpuMs = (now.user - begun.user + now.system - begun.system) / 1000;
    if (message.collect === true) collectGarbage();
    const heapBytes = process.memoryUsage().heapUsed;
    process.send?.({ [`answer${message.ask}`]: true, stallMs: longestMs, cpuMs, heapBytes });
    longestMs = 0;
    begun = now;
  });
  process.channel?.unref();
}
