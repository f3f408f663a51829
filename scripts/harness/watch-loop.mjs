// Loaded into a process under test (`node --import`): answers the message {ask: n} with {told<n>: true, stallMs, cpuMs},
// the longest stall of its event loop and its processor time since the last question.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let cpu = process.cpuUsage();
process.on('message', (/** @type {Record<string, unknown>} */ message) => {
  if (typeof message.ask !== 'number') return;
  const { user, system } = process.cpuUsage(cpu);
  cpu = process.cpuUsage();
  process.send?.({ [`told${message.ask}`]: true, stallMs: delay.max / 1e6, cpuMs: (user + system) / 1000 });
  delay.reset();
});
process.channel?.unref();
