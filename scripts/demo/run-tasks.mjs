// The demo's tasks: judged by the simulated judge, which stands on this machine for as long as they run.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.mjs';
import { startScriptedLlm } from '../harness/scripted-llm/server.mjs';
import { makeTasks } from './make-tasks.mjs';
import { simulatedJudge } from './simulated-judge.mjs';

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

/** Where the simulated judge stands, on the loopback address, unless told. */
const judgePort = 4390;
const provider = 'simulated';
const model = 'judge-1';
const atOnce = 6;

/**
 * Null, with a sentence that says why, where Assay may not call the judge: who runs it decides what it may call.
 * @param {{ call: CallApi, run: string, count: number, seed: number, faultRate: number, port?: number, waitMs: number, tell: (line: string) => void }} options
 * @returns {Promise<JudgedTask[] | null>}
 */
export async function runTasks({ call, run, count, seed, faultRate, port = judgePort, waitMs, tell }) {
  const llm = await startScriptedLlm({ port }).catch(() => null);
  if (llm === null) {
    tell(`Tasks are left out: port ${port}, where their simulated judge stands, is taken.`);
    return null;
  }
  llm.answerWith(simulatedJudge);
  const setProvider = (/** @type {boolean} */ enabled) =>
    call(`/v1/providers/${provider}`, { kind: 'openai_compatible', base_url: llm.baseUrl, models: [model], enabled }, 'PUT');
  try {
    try {
      await setProvider(true);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      tell(
        `Tasks are left out: ${error.message}. With ASSAY_OUTBOUND_ALLOW=127.0.0.1:${port} npm start they are judged by a simulated judge.`,
      );
      return null;
    }
    tell(`Sending ${count} tasks with criteria, judged by a simulated judge`);
    const tasks = makeTasks({ run, count, seed, faultRate });
    /** @type {JudgedTask[]} */
    const judged = [];
    for (let at = 0; at < tasks.length; at += atOnce) {
      judged.push(...(await Promise.all(tasks.slice(at, at + atOnce).map((task) => verify(call, task, waitMs)))));
    }
    // Nobody stands there any more: what is sent later must not wait for it.
    await setProvider(false);
    return judged;
  } finally {
    await llm.close();
  }
}

/** @param {CallApi} call @param {DemoTask} task @param {number} waitMs @returns {Promise<JudgedTask>} */
async function verify(call, { id, fault, body }, waitMs) {
  const until = Date.now() + waitMs;
  let reply = await call('/v1/verify/task', { ...body, verifier_model: `${provider}:${model}` });
  while (reply.state !== 'settled') {
    if (Date.now() > until) throw new Failure(`The task ${id} has no verdict yet: does a worker run?`);
    await sleep(500);
    reply = await call(`/v1/verifications/${encodeURIComponent(String(reply.id))}`);
  }
  return { id, fault, outcome: String(reply.outcome), verdictId: String(reply.id), url: String(reply.url) };
}
