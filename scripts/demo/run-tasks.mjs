// The demo's tasks: judged by the simulated judge.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.mjs';
import { makeTasks } from './make-tasks.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./make-tasks.mjs').DemoTask} DemoTask */

/**
 * @typedef {object} JudgedTask one task with what became of it
 * @property {string} id
 * @property {import('./make-tasks.mjs').TaskFault | null} fault
 * @property {string} outcome
 * @property {string} verdictId
 * @property {string} url
 */

const atOnce = 6;

/**
 * @param {{ call: CallApi, run: string, count: number, seed: number, faultRate: number, judge: string, waitMs: number, tell: (line: string) => void }} options
 *   judge: model spec of the simulated judge
 * @returns {Promise<JudgedTask[]>}
 */
export async function runTasks({ call, run, count, seed, faultRate, judge, waitMs, tell }) {
  tell(`Sending ${count} tasks with criteria, judged by a simulated judge`);
  const tasks = makeTasks({ run, count, seed, faultRate });
  /** @type {JudgedTask[]} */
  const judged = [];
  for (let at = 0; at < tasks.length; at += atOnce) {
    judged.push(...(await Promise.all(tasks.slice(at, at + atOnce).map((task) => verify(call, task, judge, waitMs)))));
  }
  return judged;
}

/** @param {CallApi} call @param {DemoTask} task @param {string} judge @param {number} waitMs @returns {Promise<JudgedTask>} */
async function verify(call, { id, fault, body }, judge, waitMs) {
  const until = Date.now() + waitMs;
  let reply = await call('/v1/verify/task', { ...body, verifier_model: judge });
  while (reply.state !== 'settled') {
    if (Date.now() > until) throw new Failure(`The task ${id} has no verdict yet: does a worker run?`);
    await sleep(500);
    reply = await call(`/v1/verifications/${encodeURIComponent(String(reply.id))}`);
  }
  return { id, fault, outcome: String(reply.outcome), verdictId: String(reply.id), url: String(reply.url) };
}
