// Loaded into a process under test (`node --import`): answers the message {ask: n} with {told<n>: true, stallMs, cpuMs},
// since the last question. A stall is the time between two turns of the event loop, as far as the process itself was
// at work in it: what it only waited for a processor, on a machine that a test run shares, is not its doing.
const everyMs = 5;
let longestMs = 0;
let at = performance.now();
let cpu = process.cpuUsage();
let begun = cpu;

const spentMs = (/** @type {NodeJS.CpuUsage} */ from, /** @type {NodeJS.CpuUsage} */ to) =>
  (to.user - from.user + to.system - from.system) / 1000;

setInterval(() => {
  const now = performance.now();
  const used = process.cpuUsage();
  longestMs = Math.max(longestMs, Math.min(now - at - everyMs, spentMs(cpu, used)));
  at = now;
  cpu = used;
}, everyMs).unref();

process.on('message', (/** @type {Record<string, unknown>} */ message) => {
  if (typeof message.ask !== 'number') return;
  const now = process.cpuUsage();
  process.send?.({ [`told${message.ask}`]: true, stallMs: longestMs, cpuMs: spentMs(begun, now) });
  longestMs = 0;
  begun = now;
});
process.channel?.unref();
