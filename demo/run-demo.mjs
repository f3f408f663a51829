// The demo itself: sends the work, waits for its verdicts, has scripted reviewers label a random
// sample of it, and reports the planted and the caught faults.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { createCalendar } from './calendar.mjs';
import { createApi } from './call-api.mjs';
import { giveLabels, labelRateOfTasks } from './give-labels.mjs';
import { makeTalks } from './make-talks.mjs';
import { makeTraces } from './make-traces.mjs';
import { makeTurns } from './make-turns.mjs';
import { noMeters } from './progress.mjs';
import { runCode } from './run-code.mjs';
import { runExperiment } from './run-experiment.mjs';
import { runGateway } from './run-gateway.mjs';
import { runPlans } from './run-plans.mjs';
import { runTasks } from './run-tasks.mjs';
import { runTrial } from './run-trial.mjs';
import { openJudge, provider } from './simulated-provider.mjs';
import {
  describeCode,
  describeDemo,
  describeExperiment,
  describeGateway,
  describeMeasured,
  describePlans,
  describeTasks,
  describeTrial,
} from './summary.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./make-turns.mjs').DemoTurn} DemoTurn */
/** @typedef {import('./summary.mjs').Judged} Judged */
/** @typedef {import('./summary.mjs').Labels} Labels */
/** @typedef {import('./run-tasks.mjs').JudgedTask} JudgedTask */
/** @typedef {import('./run-code.mjs').JudgedCode} JudgedCode */
/** @typedef {import('./run-plans.mjs').JudgedCheckpoint} JudgedCheckpoint */
/** @typedef {import('./run-gateway.mjs').GatewayCall} GatewayCall */
/** @typedef {import('./run-experiment.mjs').ComparedPrompts} ComparedPrompts */

/**
 * @typedef {object} DemoOptions
 * @property {string} url of the HTTP API
 * @property {string} key with the scopes ingest, verify, read, write and impersonate; with gateway
 * for the conversations
 * @property {number} turns
 * @property {number} [tasks] none by default
 * @property {number} [code] works of the coding agent; none by default
 * @property {number} [plans] requests to the planner; none by default
 * @property {number} [traces] of OpenTelemetry; none by default
 * @property {number} [talks] conversations over the gateway; none by default
 * @property {boolean} [experiment] the failed answers become a dataset, which two versions of a
 * prompt answer
 * @property {boolean} [simulated] the project is simulated: work and labels are dated in the last
 *   four weeks, otherwise now
 * @property {string | null} [dataDir] of the instance on this machine, so that it may call the
 * simulated judge
 * @property {number} [judgePort] of the simulated judge
 * @property {number} seed
 * @property {(line: string) => void} print
 * @property {import('./progress.mjs').StartMeter} [meters]
 * @property {string} [run] part of all ids; repeating a run sends nothing twice
 * @property {number} [waitMs] for all verdicts
 * @property {Date} [now] where the four weeks end
 */

/**
 * @typedef {{ call: CallApi, run: string, seed: number, waitMs: number, calendar:
 * import('./calendar.mjs').Calendar | null, print: (line: string) => void, meters:
 * import('./progress.mjs').StartMeter }} How
 */

const faultRate = 0.25;
/**
 * Over four weeks the answers have fewer errors at first: the smaller model is replaced by a worse
 * one in the third.
 */
const faultRateOfWeeks = 0.16;
const batchSize = 50;

/**
 * @param {DemoOptions} options
 * @returns {Promise<{ judged: Judged[], labels: Labels, tasks: JudgedTask[] | null, code:
 *   JudgedCode[], plans: JudgedCheckpoint[], talks: GatewayCall[], compared: ComparedPrompts |
 *   null, project: string | null }>} tasks null if none were sent; project: its address in the
 *   console
 */
export async function runDemo(options) {
  const {
    url,
    key,
    seed,
    print,
    run = Date.now().toString(36),
    waitMs = 180_000,
    meters = noMeters,
    now = new Date(),
  } = options;
  const {
    tasks: taskCount = 0,
    code: codeCount = 0,
    plans: planCount = 0,
    talks: talkCount = 0,
    simulated = false,
    experiment = false,
  } = options;
  const call = createApi({ url, key });
  const calendar = simulated ? createCalendar({ seed, now }) : null;
  /** @type {How} */
  const how = { call, run, seed, waitMs, calendar, print, meters };
  const turns = makeTurns({
    run,
    count: options.turns,
    seed,
    faultRate: simulated ? faultRateOfWeeks : faultRate,
    now,
    calendar,
  });
  await call('/v1/verifiers/personal-data', personalData, 'PUT');
  const { judged, labels } = await runTurns(how, turns, url);
  for (const line of ['', ...describeDemo(judged, labels, calendar?.changedAt ?? null)])
    print(line);
  if (options.traces)
    await runTraces(
      how,
      makeTurns({
        run: `${run}-traced`,
        count: options.traces,
        seed: seed + 20,
        faultRate: 0,
        now,
        calendar,
      }),
    );
  const talks = makeTalks({ run, count: talkCount, seed });
  const { judgePort: port, dataDir = null } = options;
  const counts = { taskCount, planCount, talks, hasExperiment: experiment };
  const done = await runJudged(how, {
    ...counts,
    connection: { url, key },
    judge: { port, dataDir },
  });
  const code = codeCount === 0 ? [] : await runOnCode(how, codeCount);
  if (simulated) for (const line of ['', ...(await describeMeasured(call))]) print(line);
  const project = judged[0]?.url.replace(/\/verdicts\/[^/]*$/, '') ?? null;
  return { judged, labels, ...done, code, project };
}

/** A verifier that the project defines, so that its pages have something to show. */
const personalData = {
  name: 'Personal data',
  kind: 'checks',
  description: 'Does the answer contain an e-mail address, a card number or an IBAN?',
  checks: [{ check: 'pii', types: ['email', 'card', 'iban'], must_pass: true }],
};

/**
 * @param {How} how @param {readonly DemoTurn[]} turns @param {string} url @returns {Promise<{
 * judged: Judged[], labels: Labels }>}
 */
async function runTurns({ call, seed, waitMs, calendar, print, meters }, turns, url) {
  print(
    `Sending ${turns.length} turns of a scripted ops assistant to ${url}${calendar === null ? '' : ', dated over the last four weeks'}`,
  );
  const sending = meters('turns sent', turns.length);
  for (let at = 0; at < turns.length; at += batchSize) {
    const some = turns.slice(at, at + batchSize);
    const reply = await call('/v1/turns', { turns: some.map(({ turn }) => turn) });
    const rejected = Array.isArray(reply.rejected) ? reply.rejected : [];
    if (rejected.length > 0)
      throw new Failure(`A turn was refused: ${JSON.stringify(rejected[0])}`);
    sending.add(some.length);
  }
  const judged = await waitForVerdicts(call, turns, waitMs, meters('verdicts', turns.length));
  const labels = await giveLabels(
    {
      call,
      seed: seed + 1,
      calendar,
      meter: meters('answers reviewed', judged.length),
    },
    judged,
  );
  return { judged, labels };
}

/**
 * The same answers as an exporter sends them, without faults; they are not among those that are
 * labelled.
 * @param {How} how @param {readonly DemoTurn[]} turns
 */
async function runTraces({ call, waitMs, print, meters }, turns) {
  print(`Sending ${turns.length} traces of the ops assistant`);
  const meter = meters('verdicts on traces', turns.length);
  await call('/v1/traces', makeTraces(turns));
  const until = Date.now() + waitMs;
  for (const session of new Set(turns.map(({ turn }) => String(turn.session_id)))) {
    const expectedTurns = turns.filter(({ turn }) => turn.session_id === session).length;
    for (let seen = 0; seen < expectedTurns; ) {
      if (Date.now() > until)
        throw new Failure(
          `${expectedTurns - seen} traces of ${session} have no verdict yet: does a worker run?`,
        );
      const { data } = await call(
        `/v1/verifications?verifier=integrity&limit=200&session_id=${encodeURIComponent(session)}`,
      );
      const now = Array.isArray(data) ? data.length : 0;
      meter.add(now - seen);
      seen = now;
      if (seen < expectedTurns) await sleep(300);
    }
  }
}

/** @param {How} how @param {number} count @returns {Promise<JudgedCode[]>} */
async function runOnCode(how, count) {
  const { call, seed, calendar, print, meters } = how;
  print(`Sending ${count} submissions of a scripted coding agent`);
  const code = await runCode({ ...how, count, meter: meters('submissions', count) });
  const labels = await giveLabels(
    { call, seed: seed + 3, calendar, meter: meters('submissions reviewed', code.length) },
    code,
  );
  for (const line of ['', ...describeCode(code, labels)]) print(line);
  return code;
}

/**
 * The parts that need the simulated judge. Without it, tasks and conversations are omitted, and
 * only the planner's work that needs no judge gets a verdict.
 * @param {How} how
 * @param {{ taskCount: number, planCount: number, talks: import('./make-talks.mjs').Talk[],
 * hasExperiment: boolean, connection: { url: string, key: string }, judge: { port: number |
 * undefined, dataDir: string | null } }} what
 * @returns {Promise<{ tasks: JudgedTask[] | null, plans: JudgedCheckpoint[], talks: GatewayCall[],
 * compared: ComparedPrompts | null }>}
 */
async function runJudged(
  how,
  { taskCount, planCount, talks, hasExperiment, connection, judge: where },
) {
  if (taskCount === 0 && planCount === 0 && talks.length === 0 && !hasExperiment)
    return { tasks: null, plans: [], talks: [], compared: null };
  const { call, print, meters } = how;
  const judge = await openJudge(call, { ...where, talks });
  try {
    if (judge.spec === null && taskCount > 0) print(`Tasks are skipped: ${judge.why}`);
    if (judge.spec === null && talks.length > 0)
      print(`Conversations over the gateway are skipped: ${judge.why}`);
    if (judge.spec === null && hasExperiment) print(`Experiments are skipped: ${judge.why}`);
    const tasks =
      taskCount === 0 || judge.spec === null ? null : await runOnTasks(how, taskCount, judge.spec);
    if (planCount > 0)
      print(
        `Sending ${planCount} requests through the checkpoints of a scripted planner${judge.spec === null ? ', without a judge' : ''}`,
      );
    const plans =
      planCount === 0
        ? []
        : await runPlans({
            ...how,
            count: planCount,
            judge: judge.spec,
            meter: meters('requests planned', planCount),
          });
    if (plans.length > 0)
      for (const line of ['', ...describePlans(plans, judge.spec !== null)]) print(line);
    return {
      tasks,
      plans,
      talks:
        judge.spec === null ? [] : await runTalks(how, talks, { ...connection, judge: judge.spec }),
      compared: judge.spec === null || !hasExperiment ? null : await comparePrompts(how),
    };
  } finally {
    await judge.close();
  }
}

/** @param {How} how @param {number} count @param {string} judge @returns {Promise<JudgedTask[]>} */
async function runOnTasks(how, count, judge) {
  const { call, seed, calendar, print, meters } = how;
  print(`Sending ${count} tasks with criteria, judged by a simulated judge`);
  const { judged, changes } = await runTasks({
    ...how,
    count,
    faultRate,
    judge,
    meter: meters('tasks', count),
  });
  const labels = await giveLabels(
    {
      call,
      seed: seed + 2,
      calendar,
      meter: meters('tasks reviewed', judged.length),
      rate: labelRateOfTasks,
    },
    judged,
  );
  for (const line of ['', ...describeTasks(judged, labels, changes)]) print(line);
  if (calendar !== null) for (const line of describeTrial(await runTrial(how))) print(line);
  return judged;
}

/** @param {How} how @returns {Promise<ComparedPrompts | null>} */
async function comparePrompts(how) {
  how.print('Answering failed questions again, with two versions of a prompt');
  const compared = await runExperiment({ ...how, provider, meter: how.meters('experiments', 2) });
  for (const line of ['', ...describeExperiment(compared)]) how.print(line);
  return compared;
}

/**
 * @param {How} how @param {import('./make-talks.mjs').Talk[]} talks
 * @param {{ url: string, key: string, judge: string }} connection
 * @returns {Promise<GatewayCall[]>}
 */
async function runTalks({ call, print, meters }, talks, connection) {
  if (talks.length === 0) return [];
  const count = talks.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
  print(
    `Holding ${talks.length} conversations over the gateway, with scripted models, dated today`,
  );
  const calls = await runGateway({
    call,
    ...connection,
    provider,
    talks,
    meter: meters('calls through the gateway', count),
  });
  if (typeof calls === 'string') {
    print(`Conversations over the gateway are skipped: ${calls}`);
    return [];
  }
  for (const line of ['', ...describeGateway(calls)]) print(line);
  return calls;
}

/**
 * @param {CallApi} call
 * @param {readonly DemoTurn[]} turns
 * @param {number} waitMs
 * @param {import('./progress.mjs').Meter} meter
 * @returns {Promise<Judged[]>} in the order of the turns
 */
async function waitForVerdicts(call, turns, waitMs, meter) {
  /** @type {Map<string, Judged>} */
  const judged = new Map();
  const turnOf = new Map(turns.map((each) => [each.id, each]));
  const sessions = new Set(turns.map(({ turn }) => String(turn.session_id)));
  const until = Date.now() + waitMs;
  for (let pauseMs = 100; judged.size < turns.length; pauseMs = Math.min(pauseMs * 1.5, 1_000)) {
    const before = judged.size;
    for (const session of sessions) {
      const { data } = await call(
        `/v1/verifications?verifier=integrity&limit=200&session_id=${encodeURIComponent(session)}`,
      );
      for (const each of /** @type {Record<string, unknown>[]} */ (data)) {
        const turn = turnOf.get(String(each.turn_id));
        if (turn === undefined) continue;
        const { id, fault, endedAt, turn: sent } = turn;
        const [outcome = '', verdictId = '', url = ''] = [each.outcome, each.id, each.url].map(
          String,
        );
        judged.set(id, { id, fault, outcome, verdictId, url, endedAt, model: String(sent.model) });
      }
      // In the order of sending: if one is pending, later ones are not queried yet.
      if (turns.some(({ id, turn }) => turn.session_id === session && !judged.has(id))) break;
      sessions.delete(session);
    }
    meter.add(judged.size - before);
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
