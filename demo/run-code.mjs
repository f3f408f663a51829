// The demo's coding agent: submits its work, and repairs it once if Assay requests it.
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../scripts/failure.mjs';
import { makeCode } from './make-code.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./make-code.mjs').DemoCode} DemoCode */

/**
 * @typedef {object} JudgedCode one work with the results of its first attempt and of the repair
 * @property {string} id
 * @property {import('./make-code.mjs').CodeFault | null} fault
 * @property {string} model
 * @property {string} outcome
 * @property {string} verdictId
 * @property {string} url
 * @property {string | null} repaired outcome of the repair; null if none was requested
 * @property {Date | null} endedAt of the first try; null means now
 * @property {boolean} isProved the code was compiled, or compiling it was attempted: there is a
 * sandbox
 */

const atOnce = 3;

/** Simulated minutes that a repair takes. */
const repairMinutes = 4;

/**
 * @param {{ call: CallApi, run: string, count: number, seed: number, waitMs: number, calendar:
 * import('./calendar.mjs').Calendar | null, meter: import('./progress.mjs').Meter }} options
 * @returns {Promise<JudgedCode[]>}
 */
export async function runCode({ call, run, count, seed, waitMs, calendar, meter }) {
  const works = makeCode({ run, count, seed, calendar });
  /** @type {JudgedCode[]} */
  const judged = [];
  for (let at = 0; at < works.length; at += atOnce) {
    const some = works.slice(at, at + atOnce);
    judged.push(
      ...(await Promise.all(some.map((work) => submitWork(call, work, waitMs, calendar)))),
    );
    meter.add(some.length);
  }
  return judged;
}

/**
 * @param {CallApi} call @param {DemoCode} work @param {number} waitMs @param
 * {import('./calendar.mjs').Calendar | null} calendar
 * @returns {Promise<JudgedCode>}
 */
async function submitWork(
  call,
  { id, fault, request, model, files, mended, endedAt },
  waitMs,
  calendar,
) {
  const attempt = (
    /** @type {number} */ repair,
    /** @type {import('./make-code.mjs').Files} */ written,
  ) => {
    const at =
      calendar === null || endedAt === null
        ? {}
        : { ended_at: calendar.after(endedAt, repair * repairMinutes).toISOString() };
    return verify(
      call,
      { id: `${id}-${repair}`, session_id: id, request, model, repair, files: written, ...at },
      waitMs,
    );
  };
  const first = await attempt(0, files);
  const { nudge, gates } = readCode(first);
  const second = nudge === null ? null : await attempt(1, mended);
  return {
    id,
    fault,
    model,
    outcome: String(first.outcome),
    verdictId: String(first.id),
    url: String(first.url),
    endedAt,
    repaired: second === null ? null : String(second.outcome),
    isProved: gates.some(
      (status) => status === 'passed' || status === 'failed' || status === 'timeout',
    ),
  };
}

/** @param {Record<string, unknown>} reply @returns {{ nudge: string | null, gates: string[] }} */
function readCode({ code }) {
  const { nudge, gates } = /** @type {{ nudge: string | null, gates: { status: string }[] }} */ (
    code
  );
  return { nudge, gates: gates.map(({ status }) => status) };
}

/**
 * @param {CallApi} call @param {Record<string, unknown>} body @param {number} waitMs @returns
 * {Promise<Record<string, unknown>>}
 */
async function verify(call, body, waitMs) {
  const until = Date.now() + waitMs;
  let reply = await call('/v1/verify/code', body);
  while (reply.state !== 'settled') {
    if (Date.now() > until)
      throw new Failure(`The work ${String(body.id)} has no verdict yet: does a worker run?`);
    await sleep(500);
    reply = await call(`/v1/verifications/${encodeURIComponent(String(reply.id))}`);
  }
  return reply;
}
