// The demo itself: sends the turns, waits for their verdicts, and has scripted reviewers label a random sample of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../failure.mjs';
import { createApi } from './call-api.mjs';
import { makeTurns } from './make-turns.mjs';
import { createRandom } from './random.mjs';
import { runCode } from './run-code.mjs';
import { runPlans } from './run-plans.mjs';
import { runTasks } from './run-tasks.mjs';
import { openJudge } from './simulated-provider.mjs';
import { describeCode, describeDemo, describePlans, describeTasks } from './summary.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./make-turns.mjs').DemoTurn} DemoTurn */
/** @typedef {import('./summary.mjs').Judged} Judged */
/** @typedef {import('./summary.mjs').Labels} Labels */
/** @typedef {import('./run-tasks.mjs').JudgedTask} JudgedTask */
/** @typedef {import('./run-code.mjs').JudgedCode} JudgedCode */
/** @typedef {import('./run-plans.mjs').JudgedCheckpoint} JudgedCheckpoint */

/**
 * @typedef {object} DemoOptions
 * @property {string} url of the HTTP API
 * @property {string} key with the scopes ingest, verify, read and write
 * @property {number} turns
 * @property {number} [tasks] none unless told
 * @property {number} [code] works of the coding agent; none unless told
 * @property {number} [plans] requests to the planner; none unless told
 * @property {number} [judgePort] where the simulated judge stands
 * @property {number} seed
 * @property {(line: string) => void} tell
 * @property {string} [run] part of all ids; the same run again sends nothing twice
 * @property {number} [waitMs] for all verdicts
 */

const faultRate = 0.25;
/** The probability that an answer is drawn for labelling, and that a label is wrong on purpose. */
const labelRate = 0.3;
const noiseRate = 0.05;
const batchSize = 50;
const reviewers = ['Ada (scripted)', 'Ben (scripted)'];

/**
 * @param {DemoOptions} options
 * @returns {Promise<{ judged: Judged[], labels: Labels, tasks: JudgedTask[] | null, code: JudgedCode[], plans: JudgedCheckpoint[] }>} tasks null: none were sent
 */
export async function runDemo({
  url,
  key,
  turns: count,
  tasks: taskCount = 0,
  code: codeCount = 0,
  plans: planCount = 0,
  judgePort,
  seed,
  tell,
  run = Date.now().toString(36),
  waitMs = 180_000,
}) {
  const call = createApi({ url, key });
  const turns = makeTurns({ run, count, seed, faultRate, now: new Date() });
  tell(`Sending ${count} turns of a scripted ops assistant to ${url}`);
  for (let at = 0; at < turns.length; at += batchSize) {
    const reply = await call('/v1/turns', { turns: turns.slice(at, at + batchSize).map(({ turn }) => turn) });
    const rejected = Array.isArray(reply.rejected) ? reply.rejected : [];
    if (rejected.length > 0) throw new Failure(`A turn was refused: ${JSON.stringify(rejected[0])}`);
  }
  tell('Waiting for their verdicts');
  const judged = await waitForVerdicts(call, turns, waitMs);
  tell('Labelling a random sample');
  const labels = await label(call, judged, createRandom(seed + 1));
  for (const line of ['', ...describeDemo(judged, labels)]) tell(line);
  const { tasks, plans } = await runJudged({ call, run, seed, waitMs, tell }, { taskCount, planCount, judgePort });
  const code = codeCount === 0 ? [] : await runCode({ call, run, count: codeCount, seed, waitMs, tell });
  if (code.length > 0) {
    const ofCode = await label(call, code, createRandom(seed + 3));
    for (const line of ['', ...describeCode(code, ofCode)]) tell(line);
  }
  return { judged, labels, tasks, code, plans };
}

/**
 * What the simulated judge is for. Without it tasks are left out, and of the planner only what needs no judge gets a verdict.
 * @param {{ call: CallApi, run: string, seed: number, waitMs: number, tell: (line: string) => void }} how
 * @param {{ taskCount: number, planCount: number, judgePort: number | undefined }} what
 * @returns {Promise<{ tasks: JudgedTask[] | null, plans: JudgedCheckpoint[] }>}
 */
async function runJudged(how, { taskCount, planCount, judgePort }) {
  if (taskCount === 0 && planCount === 0) return { tasks: null, plans: [] };
  const { call, seed, tell } = how;
  const judge = await openJudge(call, judgePort);
  try {
    /** @type {JudgedTask[] | null} */
    let tasks = null;
    if (taskCount > 0 && judge.spec === null) tell(`Tasks are left out: ${judge.why}`);
    if (taskCount > 0 && judge.spec !== null) {
      tasks = await runTasks({ ...how, count: taskCount, faultRate, judge: judge.spec });
      const ofTasks = await label(call, tasks, createRandom(seed + 2));
      for (const line of ['', ...describeTasks(tasks, ofTasks)]) tell(line);
    }
    const plans = planCount === 0 ? [] : await runPlans({ ...how, count: planCount, judge: judge.spec });
    if (plans.length > 0) for (const line of ['', ...describePlans(plans, judge.spec !== null)]) tell(line);
    return { tasks, plans };
  } finally {
    await judge.close();
  }
}

/**
 * @param {CallApi} call
 * @param {readonly DemoTurn[]} turns
 * @param {number} waitMs
 * @returns {Promise<Judged[]>} in the order of the turns
 */
async function waitForVerdicts(call, turns, waitMs) {
  /** @type {Map<string, Judged>} */
  const judged = new Map();
  const faultOf = new Map(turns.map(({ id, fault }) => [id, fault]));
  const sessions = new Set(turns.map(({ turn }) => String(turn.session_id)));
  const until = Date.now() + waitMs;
  for (let pauseMs = 100; judged.size < turns.length; pauseMs = Math.min(pauseMs * 2, 2_000)) {
    for (const session of sessions) {
      const { data } = await call(`/v1/verifications?verifier=integrity&limit=200&session_id=${encodeURIComponent(session)}`);
      for (const each of /** @type {Record<string, unknown>[]} */ (data)) {
        const id = String(each.turn_id);
        const fault = faultOf.get(id);
        if (fault === undefined) continue;
        judged.set(id, { id, fault, outcome: String(each.outcome), verdictId: String(each.id), url: String(each.url) });
      }
      if (turns.every(({ id, turn }) => turn.session_id !== session || judged.has(id))) sessions.delete(session);
    }
    if (judged.size === turns.length) break;
    if (Date.now() > until) {
      throw new Failure(
        `${turns.length - judged.size} of ${turns.length} turns have no verdict yet: does a worker run, and is integrity on?`,
      );
    }
    await sleep(pauseMs);
  }
  return turns.flatMap(({ id }) => judged.get(id) ?? []);
}

/**
 * Each answer is drawn by itself with the same probability, which the label bears: what the sample says can be weighed for all of them.
 * @param {CallApi} call
 * @param {readonly (Judged | JudgedTask | JudgedCode)[]} judged
 * @param {import('./random.mjs').Random} random
 * @returns {Promise<Labels>}
 */
async function label(call, judged, random) {
  const labels = { given: 0, overruled: 0, wrong: 0, rate: labelRate };
  for (const { id, fault, outcome, verdictId } of judged) {
    if (!random.chance(labelRate)) continue;
    const isWrong = random.chance(noiseRate);
    const isGood = (fault === null) !== isWrong;
    const found = fault === null ? 'nothing is wrong' : `planted: ${fault.replaceAll('_', ' ')}`;
    await call(`/v1/verifications/${encodeURIComponent(verdictId)}/overrides`, {
      id: `${id}-label`,
      verdict: isGood ? 'pass' : 'fail',
      reason: isWrong ? `Scripted reviewer, wrong on purpose (${found}).` : `Scripted reviewer: ${found}.`,
      grade: isGood ? random.pick([4, 5]) : random.pick([1, 2]),
      rater: random.pick(reviewers),
      probability: labelRate,
    });
    labels.given++;
    if (isWrong) labels.wrong++;
    if (outcome !== (isGood ? 'passed' : 'failed')) labels.overruled++;
  }
  return labels;
}
