// The demo's tasks: judged by the simulated judge.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { makeTasks } from './make-tasks.mjs';
import { changeSettings } from './quality-lead.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./make-tasks.mjs').DemoTask} DemoTask */

/**
 * @typedef {object} JudgedTask one task with its result
 * @property {string} id
 * @property {import('./make-tasks.mjs').TaskFault | null} fault
 * @property {string} output the work itself
 * @property {string} outcome
 * @property {string} verdictId
 * @property {string} url
 * @property {Date | null} endedAt null means now
 */

const atOnce = 6;

/**
 * Half-way through them the quality lead moves a threshold and edits a prompt, if the project is
 * the demo's own (`calendar`).
 * @param {{ call: CallApi, run: string, count: number, seed: number, faultRate: number, judge:
 * string, waitMs: number, calendar: import('./calendar.mjs').Calendar | null, meter:
 * import('./progress.mjs').Meter }} options
 *   judge: model spec of the simulated judge
 * @returns {Promise<{ judged: JudgedTask[], changes: string[] }>} changes: the quality lead's
 *   changes
 */
export async function runTasks({
  call,
  run,
  count,
  seed,
  faultRate,
  judge,
  waitMs,
  calendar,
  meter,
}) {
  const tasks = makeTasks({ run, count, seed, faultRate, calendar });
  /** @type {JudgedTask[]} */
  const judged = [];
  /** @type {string[] | null} */
  let changes = null;
  for (let at = 0; at < tasks.length; at += atOnce) {
    if (calendar !== null && changes === null && at >= tasks.length / 2)
      changes = await changeSettings(call);
    const some = tasks.slice(at, at + atOnce);
    judged.push(...(await Promise.all(some.map((task) => verify(call, task, judge, waitMs)))));
    meter.add(some.length);
  }
  return { judged, changes: changes ?? [] };
}

/**
 * @param {CallApi} call @param {DemoTask} task @param {string} judge @param {number} waitMs
 * @returns {Promise<JudgedTask>}
 */
async function verify(call, { id, fault, body, endedAt }, judge, waitMs) {
  const until = Date.now() + waitMs;
  let reply = await call('/v1/verify/task', { ...body, verifier_model: judge });
  while (reply.state !== 'settled') {
    if (Date.now() > until)
      throw new Failure(`The task ${id} has no verdict yet: does a worker run?`);
    await sleep(500);
    reply = await call(`/v1/verifications/${encodeURIComponent(String(reply.id))}`);
  }
  return {
    id,
    fault,
    output: String(body.task_output),
    outcome: String(reply.outcome),
    verdictId: String(reply.id),
    url: String(reply.url),
    endedAt,
  };
}
