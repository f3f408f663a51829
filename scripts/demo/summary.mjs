// What the demo says at its end: what was planted, what of it was caught, and where to look.
import { codeFaults } from './make-code.mjs';
import { planFaults } from './make-plans.mjs';
import { taskFaults } from './make-tasks.mjs';
import { faults } from './make-turns.mjs';
import { errorRate } from './simulated-judge.mjs';

/**
 * @typedef {object} Judged one turn with what became of it
 * @property {string} id
 * @property {import('./make-turns.mjs').Fault | null} fault
 * @property {string} outcome
 * @property {string} verdictId
 * @property {string} url
 */
/**
 * @typedef {object} Labels what the scripted reviewers did
 * @property {number} given
 * @property {number} overruled their verdict is another than the verifier's
 * @property {number} wrong on purpose
 * @property {number} rate the probability that an answer was drawn with
 */

/**
 * The interval of Wilson (1927) for a share, at 95 %.
 * @param {number} hits
 * @param {number} of more than 0
 * @returns {[number, number]}
 */
export function wilson(hits, of) {
  const z = 1.959963984540054;
  const p = hits / of;
  const scale = 1 + (z * z) / of;
  const middle = (p + (z * z) / (2 * of)) / scale;
  const half = (z / scale) * Math.sqrt((p * (1 - p)) / of + (z * z) / (4 * of * of));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** @param {number} hits @param {number} of @returns {string} */
function share(hits, of) {
  if (of === 0) return 'none';
  const percent = (/** @type {number} */ rate) => (rate * 100).toFixed(1);
  const [low, high] = wilson(hits, of);
  return `${hits} of ${of} (${percent(hits / of)} %, 95 % interval ${percent(low)} to ${percent(high)})`;
}

/**
 * @param {readonly Judged[]} judged
 * @param {Labels} labels
 * @returns {string[]} lines
 */
export function describeDemo(judged, labels) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const flagged = (/** @type {readonly Judged[]} */ list) => list.filter(({ outcome }) => outcome === 'failed').length;
  const [first] = judged;
  return [
    `Planted          ${bad.length} of ${judged.length} answers have one wrong figure`,
    `Caught           ${share(flagged(bad), bad.length)}`,
    ...faults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(16)}${flagged(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(flagged(good), good.length)}`,
    `Labels           ${labels.given} answers drawn with probability ${labels.rate}; ${labels.overruled} verdicts overruled; ` +
      `${labels.wrong} labels wrong on purpose`,
    ...(first === undefined ? [] : [`Look             ${first.url.replace(/\/[^/]*$/, '')}`]),
  ];
}

/**
 * A task is caught where it did not pass: failed, or left to a person.
 * @param {readonly import('./run-tasks.mjs').JudgedTask[]} judged
 * @param {Labels} labels
 * @returns {string[]} lines
 */
export function describeTasks(judged, labels) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const caught = (/** @type {typeof judged} */ list) =>
    list.filter(({ outcome }) => outcome === 'failed' || outcome === 'needs_review').length;
  return [
    `Tasks planted    ${bad.length} of ${judged.length} reports have one fault; the simulated judge errs on ${errorRate * 100} % on purpose`,
    `Caught           ${share(caught(bad), bad.length)}`,
    ...taskFaults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(16)}${caught(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(caught(good), good.length)}`,
    `Labels           ${labels.given} tasks drawn with probability ${labels.rate}; ${labels.wrong} labels wrong on purpose`,
  ];
}

/**
 * Without a box nothing is compiled: work that is well written but not proved is left without a verdict, and is neither caught nor passed.
 * @param {readonly import('./run-code.mjs').JudgedCode[]} judged
 * @param {Labels} labels
 * @returns {string[]} lines
 */
export function describeCode(judged, labels) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const failed = (/** @type {typeof judged} */ list) => list.filter(({ outcome }) => outcome === 'failed').length;
  const undecided = judged.filter(({ outcome }) => outcome === 'inconclusive').length;
  const repaired = judged.filter((each) => each.repaired !== null);
  return [
    `Code planted     ${bad.length} of ${judged.length} works have one fault`,
    `Caught           ${share(failed(bad), bad.length)}`,
    ...codeFaults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(16)}${failed(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(failed(good), good.length)}`,
    `Repairs          ${repaired.filter((each) => each.repaired === 'passed').length} of ${repaired.length} that were asked for passed`,
    ...(undecided === 0 ? [] : [`No verdict       ${undecided}: there is no box on that machine to compile them in`]),
    `Labels           ${labels.given} works drawn with probability ${labels.rate}; ${labels.wrong} labels wrong on purpose`,
  ];
}

/**
 * Each verdict at a checkpoint counts by itself, and each retry too (SOAR-30); one that nobody could judge is neither caught nor passed.
 * @param {readonly import('./run-plans.mjs').JudgedCheckpoint[]} judged
 * @param {boolean} hasJudge
 * @returns {string[]} lines
 */
export function describePlans(judged, hasJudge) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const decided = (/** @type {typeof judged} */ list) => list.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  const failed = (/** @type {typeof judged} */ list) => list.filter(({ outcome }) => outcome === 'failed').length;
  const retried = decided(judged.filter(({ retry }) => retry > 0));
  const undecided = judged.length - decided(judged).length;
  return [
    `Plans planted    ${bad.length} of ${judged.length} works at checkpoints have one fault${hasJudge ? `; the simulated judge errs on ${errorRate * 100} % on purpose` : ''}`,
    `Caught           ${share(failed(bad), decided(bad).length)}`,
    ...planFaults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(20)}${failed(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(failed(good), decided(good).length)}`,
    `Retries          ${retried.length - failed(retried)} of ${retried.length} passed`,
    ...(undecided === 0 ? [] : [`No verdict       ${undecided}${hasJudge ? '' : ': what the structure does not decide needs a judge'}`]),
  ];
}
