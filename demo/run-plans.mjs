// The demo's planner: each request passes its three checkpoints, is repeated if a verdict requests
// it, and the planted fault is reported as the outcome of each verdict.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { agents, makePlans, planner } from './make-plans.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./make-plans.mjs').DemoPlan} DemoPlan */
/** @typedef {import('./make-plans.mjs').PlanFault} PlanFault */
/** @typedef {'decomposition' | 'agent-output' | 'synthesis'} CheckpointKind */

/**
 * @typedef {object} JudgedCheckpoint one verdict at a checkpoint
 * @property {string} id
 * @property {CheckpointKind} kind
 * @property {PlanFault | null} fault the fault that was planted in its subject
 * @property {number} retry 0 for the first attempt
 * @property {string} outcome
 * @property {string} verdictId
 * @property {string} url
 * @property {Date | null} endedAt null means now
 */

/** @typedef {{ members: Record<string, unknown>, fault: PlanFault | null }} Attempt */

const atOnce = 6;
const retries = 2;
/** US dollars, of the work at each checkpoint. */
const costs = { decomposition: 0.004, 'agent-output': 0.03, synthesis: 0.01 };

/** Simulated minutes from one checkpoint to the next. */
const stepMinutes = 0.6;

/**
 * @param {{ call: CallApi, run: string, count: number, seed: number, judge: string | null, waitMs:
 * number, calendar: import('./calendar.mjs').Calendar | null, meter: import('./progress.mjs').Meter
 * }} options
 * judge: model spec of the simulated judge; null if there is none; work that needs one then gets no
 *   verdict
 * @returns {Promise<JudgedCheckpoint[]>}
 */
export async function runPlans({ call, run, count, seed, judge, waitMs, calendar, meter }) {
  const plans = makePlans({ run, count, seed, calendar });
  /** @type {JudgedCheckpoint[]} */
  const judged = [];
  for (let at = 0; at < plans.length; at += atOnce) {
    await Promise.all(
      plans.slice(at, at + atOnce).map(async (plan) => {
        const loop = createLoop(call, plan, judge, waitMs, calendar);
        await report(call, plan, loop.verdicts, await runPlan(loop, plan));
        judged.push(...loop.verdicts);
        meter.add();
      }),
    );
  }
  return judged;
}

/**
 * @typedef {{ verdicts: JudgedCheckpoint[], through: (kind: CheckpointKind, name: string, attempt:
 * (retry: number, next: NextOf) => Attempt) => Promise<'FAIL' | null> }} Loop returns FAIL if it
 * ended so
 */
/**
 * @typedef {{ agent: string | null }} NextOf the agent that the previous verdict names for the
 * retry
 */

/**
 * Generate, verify, feed back, retry: what the SDK's `checkpoint` does, in plain Node.
 * @param {CallApi} call @param {DemoPlan} plan @param {string | null} judge @param {number} waitMs
 * @param {import('./calendar.mjs').Calendar | null} calendar
 * @returns {Loop}
 */
function createLoop(call, plan, judge, waitMs, calendar) {
  /** @type {JudgedCheckpoint[]} */
  const verdicts = [];
  return {
    verdicts,
    async through(kind, name, attempt) {
      /** @type {NextOf} */
      let next = { agent: null };
      for (let retry = 0; ; retry++) {
        const { members, fault } = attempt(retry, next);
        const id = `${plan.id}-${name}-${retry + 1}`;
        const { begunAt } = plan;
        const endedAt =
          calendar === null || begunAt === null
            ? null
            : calendar.after(begunAt, (verdicts.length + 1) * stepMinutes);
        const body = {
          ...members,
          id,
          ...(endedAt !== null && { ended_at: endedAt.toISOString() }),
          trace_id: plan.id,
          retries_used: retry,
          executor_model: planner,
          cost_usd: costs[kind],
          ...(judge === null || kind === 'agent-output' ? {} : { verifier_model: judge }),
        };
        const reply = await settled(call, kind, body, waitMs);
        const [outcome, verdictId, url] = [reply.outcome, reply.id, reply.url].map(String);
        verdicts.push({
          id,
          kind,
          fault,
          retry,
          outcome: outcome ?? '',
          verdictId: verdictId ?? '',
          url: url ?? '',
          endedAt,
        });
        if (reply.verdict !== 'RETRY' || retry >= retries)
          return reply.verdict === 'FAIL' ? 'FAIL' : null;
        const { next_agent: agent = null } = /** @type {{ next_agent?: string | null }} */ (
          reply.agent_output ?? {}
        );
        next = { agent };
      }
    },
  };
}

/**
 * No agent is called for a failed decomposition. Without a verdict the planner continues at its own
 * risk.
 * @param {Loop} loop @param {DemoPlan} plan
 * @returns {Promise<boolean>} whether it led to a right answer
 */
async function runPlan({ through }, plan) {
  const {
    fault,
    faultyAt,
    query,
    complexity,
    drafted,
    mended,
    outputs,
    secondOutputs,
    answer,
    mendedAnswer,
  } = plan;
  const planned = await through('decomposition', 'plan', (retry) => ({
    members: {
      query,
      complexity,
      agents,
      decomposition: retry === 0 ? drafted : { ...mended, goal: `${mended.goal} (${retry})` },
    },
    fault: retry === 0 && faultyAt === 'decomposition' ? fault : null,
  }));
  if (planned === 'FAIL') return false;
  const names = agents.map(({ name }) => name);
  /** @type {Record<string, unknown>[]} */
  const brought = [];
  for (const { id, description } of mended.subgoals) {
    let output = outputs[id];
    await through('agent-output', id, (retry, next) => {
      const attempt = retry === 0 ? outputs[id] : secondOutputs[id];
      output = attempt && { ...attempt, agent: next.agent ?? attempt.agent };
      return {
        members: {
          subgoal: { id, description, critical: id === 'read' },
          output,
          agents_available: names,
        },
        fault: retry === 0 && faultyAt === 'agent-output' && id === 'inspect' ? fault : null,
      };
    });
    if (output !== undefined)
      brought.push({ id, agent: output.agent, summary: output.summary, data: output.data });
  }
  let finalAnswer = answer;
  const outcome = await through('synthesis', 'answer', (retry) => {
    finalAnswer = retry === 0 ? answer : mendedAnswer;
    return {
      members: { query, answer: finalAnswer, agent_outputs: brought },
      fault: retry === 0 && faultyAt === 'synthesis' ? fault : null,
    };
  });
  return outcome !== 'FAIL' && finalAnswer === mendedAnswer;
}

/**
 * @param {CallApi} call @param {CheckpointKind} kind @param {Record<string, unknown>} body @param
 * {number} waitMs @returns {Promise<Record<string, unknown>>}
 */
async function settled(call, kind, body, waitMs) {
  const until = Date.now() + waitMs;
  let reply = await call(`/v1/verify/${kind}`, body);
  while (reply.state !== 'settled') {
    if (Date.now() > until)
      throw new Failure(`The checkpoint ${String(body.id)} has no verdict yet: does a worker run?`);
    await sleep(500);
    reply = await call(`/v1/verifications/${encodeURIComponent(String(reply.id))}`);
  }
  return reply;
}

/**
 * The truth is known here, since the faults were planted: ground truth for all verdicts and not
 * for a sample, and for the request.
 * @param {CallApi} call @param {DemoPlan} plan @param {readonly JudgedCheckpoint[]} verdicts @param
 * {boolean} success
 */
async function report(call, plan, verdicts, success) {
  const source = 'demo (scripted)';
  const reportedAt = verdicts.at(-1)?.endedAt ?? null;
  const dated = reportedAt === null ? {} : { created_at: reportedAt.toISOString() };
  const outcomes = verdicts.map(({ id, fault, verdictId }) => ({
    id: `${id}-outcome`,
    verification_id: verdictId,
    success: fault === null,
    source,
    note: fault === null ? 'nothing is wrong' : `planted: ${fault.replaceAll('_', ' ')}`,
    ...dated,
  }));
  const requestOutcome = {
    id: `${plan.id}-outcome`,
    subject_id: plan.id,
    success,
    source,
    note: success ? 'answered' : 'no right answer',
    ...dated,
  };
  const { rejected } = await call('/v1/outcomes', { outcomes: [...outcomes, requestOutcome] });
  if (Array.isArray(rejected) && rejected.length > 0)
    throw new Failure(`An outcome was refused: ${JSON.stringify(rejected[0])}`);
}
