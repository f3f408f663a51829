// The demo's final report: the planted faults, the caught ones, and where to look.
import { codeFaults } from './make-code.mjs';
import { planFaults } from './make-plans.mjs';
import { taskFaults } from './make-tasks.mjs';
import { faults, smallModel } from './make-turns.mjs';
import { errorRate } from './simulated-judge.mjs';

/**
 * @typedef {object} Judged one turn with its result
 * @property {string} id
 * @property {import('./make-turns.mjs').Fault | null} fault
 * @property {string} outcome
 * @property {string} verdictId
 * @property {string} url
 * @property {Date | null} [endedAt] null means now
 * @property {string} [model]
 */
/**
 * @typedef {object} Labels the labels of the scripted reviewers
 * @property {number} drawn samples that were labelled, each drawn by itself
 * @property {number} given labels: work with two reviewers has two, and a third where they disagree
 * @property {number} overruled their verdict differs from the verifier's
 * @property {number} wrong on purpose
 * @property {number} rate the probability that an answer was drawn with
 * @property {number} [twice] samples that two raters labelled without seeing the verdict
 * @property {number} [disputed] of these, where they disagreed and the lead decided
 */

/**
 * The interval of Wilson (1927) for a share, at 95%.
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
  return `${hits} of ${of} (${percent(hits / of)}%, 95% interval ${percent(low)} to ${percent(high)})`;
}

/**
 * @param {readonly Judged[]} judged
 * @param {Labels} labels
 * @param {Date | null} [changedAt] when the smaller model was replaced by a worse one; null if it
 *   was not
 * @returns {string[]} lines
 */
export function describeDemo(judged, labels, changedAt = null) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const flagged = (/** @type {readonly Judged[]} */ list) =>
    list.filter(({ outcome }) => outcome === 'failed').length;
  const [first] = judged;
  return [
    `Planted          ${bad.length} of ${judged.length} answers have one wrong figure`,
    `Caught           ${share(flagged(bad), bad.length)}`,
    ...faults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(16)}${flagged(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(flagged(good), good.length)}`,
    ...(changedAt === null ? [] : describeChange(judged, changedAt)),
    `Labels           ${describeDraw(labels, 'answers')}; ${labels.overruled} verdicts overruled; ${labels.wrong} labels wrong on purpose`,
    ...(labels.twice
      ? [
          `Two reviewers    on ${labels.twice} of these answers; they disagreed on ${labels.disputed ?? 0}, and the lead decided`,
        ]
      : []),
    ...(first === undefined ? [] : [`Verdicts         ${first.url.replace(/\/[^/]*$/, '')}`]),
  ];
}

/**
 * @param {Labels} labels @param {string} samples the labelled things, in the plural @returns
 *   {string}
 */
const describeDraw = ({ drawn, given, rate }, samples) =>
  `${drawn} ${samples} sampled with probability ${rate}; ${given} labels`;

/** @param {readonly Judged[]} judged @param {Date} changedAt @returns {string[]} */
function describeChange(judged, changedAt) {
  const small = judged.filter(({ model }) => model === smallModel);
  const [before, after] = [false, true].map((isAfter) =>
    small.filter(({ endedAt }) => (endedAt ?? changedAt) >= changedAt === isAfter),
  );
  const errs = (/** @type {readonly Judged[]} */ list) =>
    share(list.filter(({ fault }) => fault !== null).length, list.length);
  return [
    `Model change     ${smallModel} was replaced by a worse model on ${changedAt.toISOString().slice(0, 10)}`,
    `  errors before   ${errs(before ?? [])}`,
    `  errors after    ${errs(after ?? [])}`,
  ];
}

/**
 * Assay's measures of its verifiers from the labels, to compare with the planted faults.
 * @param {import('./call-api.mjs').CallApi} call
 * @returns {Promise<string[]>} lines
 */
export async function describeMeasured(call) {
  const { data } = await call('/v1/metrics/verifiers');
  const measure = (/** @type {Measured} */ { value, low, high, numerator, denominator, state }) => {
    if (denominator === 0) return 'no data';
    const of = `${numerator ?? 0} of ${denominator}`;
    if (state === 'insufficient' || value === null || low === null || high === null)
      return `${of}, not enough for a rate`;
    const percent = (/** @type {number} */ rate) => (rate * 100).toFixed(1);
    return `${of} (${percent(value)}%, ${percent(low)} to ${percent(high)})`;
  };
  return [
    'Measured by Assay from labels and outcomes, with 95% intervals: bad work caught; good work rejected',
    .../** @type {{ verifier: string, catch_rate: Measured, false_rejection_rate: Measured }[]} */ (
      data
    ).map(
      (each) =>
        `  ${each.verifier.padEnd(16)}${measure(each.catch_rate)}; ${measure(each.false_rejection_rate)}`,
    ),
  ];
}

/**
 * @typedef {{ value: number | null, low: number | null, high: number | null, numerator: number |
 * null, denominator: number, state: string }} Measured
 */

/**
 * @param {readonly import('./run-gateway.mjs').GatewayCall[]} calls
 * @returns {string[]} lines
 */
export function describeGateway(calls) {
  const verified = calls.filter(({ verdict }) => verdict !== 'not_verified');
  const rash = verified.filter(({ isRash }) => isRash);
  const sound = verified.filter(({ isRash }) => !isRash);
  const steered = (/** @type {typeof verified} */ list) =>
    list.filter(({ verdict }) => verdict === 'steered' || verdict === 'flagged').length;
  return [
    `Gateway          ${calls.length} calls, of which ${verified.length} were checked before delivery; the simulated verifier errs on ${errorRate * 100}% on purpose`,
    `Rash answers     ${share(steered(rash), rash.length)} steered`,
    `Sound answers    ${share(steered(sound), sound.length)} steered`,
  ];
}

/**
 * A task is caught if it did not pass: it failed, or a person must review it.
 * @param {readonly import('./run-tasks.mjs').JudgedTask[]} judged
 * @param {Labels} labels
 * @param {readonly string[]} [changes] the quality lead's changes half-way
 * @returns {string[]} lines
 */
export function describeTasks(judged, labels, changes = []) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const caught = (/** @type {typeof judged} */ list) =>
    list.filter(({ outcome }) => outcome === 'failed' || outcome === 'needs_review').length;
  return [
    `Tasks planted    ${bad.length} of ${judged.length} reports have one fault; the simulated judge errs on ${errorRate * 100}% on purpose`,
    `Caught           ${share(caught(bad), bad.length)}`,
    ...taskFaults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(16)}${caught(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(caught(good), good.length)}`,
    `Labels           ${describeDraw(labels, 'tasks')}; ${labels.wrong} labels wrong on purpose`,
    ...changes.map((change) => `Quality lead     halfway through, dated today: ${change}`),
  ];
}

/**
 * Without a sandbox nothing is compiled: work that is well written but not proved gets no verdict,
 * and is neither caught nor passed.
 * @param {readonly import('./run-code.mjs').JudgedCode[]} judged
 * @param {Labels} labels
 * @returns {string[]} lines
 */
export function describeCode(judged, labels) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const failed = (/** @type {typeof judged} */ list) =>
    list.filter(({ outcome }) => outcome === 'failed').length;
  const undecided = judged.filter(({ outcome }) => outcome === 'inconclusive').length;
  const repaired = judged.filter((each) => each.repaired !== null);
  return [
    `Code planted     ${bad.length} of ${judged.length} samples have one fault`,
    `Caught           ${share(failed(bad), bad.length)}`,
    ...codeFaults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(16)}${failed(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(failed(good), good.length)}`,
    `Repairs          ${repaired.filter((each) => each.repaired === 'passed').length} of ${repaired.length} requested repairs passed`,
    ...(undecided === 0
      ? []
      : [`No verdict       ${undecided}: this machine has no sandbox to compile them in`]),
    `Labels           ${describeDraw(labels, 'samples')}; ${labels.wrong} labels wrong on purpose`,
  ];
}

/**
 * Each verdict at a checkpoint counts by itself, and each retry too (SOAR-30); one without a
 * verdict is neither caught nor passed.
 * @param {readonly import('./run-plans.mjs').JudgedCheckpoint[]} judged
 * @param {boolean} hasJudge
 * @returns {string[]} lines
 */
export function describePlans(judged, hasJudge) {
  const bad = judged.filter(({ fault }) => fault !== null);
  const good = judged.filter(({ fault }) => fault === null);
  const decided = (/** @type {typeof judged} */ list) =>
    list.filter(({ outcome }) => outcome === 'passed' || outcome === 'failed');
  const failed = (/** @type {typeof judged} */ list) =>
    list.filter(({ outcome }) => outcome === 'failed').length;
  const retried = decided(judged.filter(({ retry }) => retry > 0));
  const undecided = judged.length - decided(judged).length;
  return [
    `Plans planted    ${bad.length} of ${judged.length} checkpoint plans have one fault${hasJudge ? `; the simulated judge errs on ${errorRate * 100}% on purpose` : ''}`,
    `Caught           ${share(failed(bad), decided(bad).length)}`,
    ...planFaults.map((fault) => {
      const ofKind = bad.filter((each) => each.fault === fault);
      return `  ${fault.replaceAll('_', ' ').padEnd(20)}${failed(ofKind)} of ${ofKind.length}`;
    }),
    `False rejections ${share(failed(good), decided(good).length)}`,
    `Retries          ${retried.length - failed(retried)} of ${retried.length} passed`,
    ...(undecided === 0
      ? []
      : [
          `No verdict       ${undecided}${hasJudge ? '' : ': a judge decides plans whose structure is correct'}`,
        ]),
  ];
}

/** @param {import('./run-trial.mjs').PromptTrial} trial @returns {string[]} lines */
export const describeTrial = ({ prompt, subjects, finding }) => [
  `Prompt trial     ${prompt} on ${subjects} held-out labelled tasks: ${finding}`,
];

/**
 * @param {import('./run-experiment.mjs').ComparedPrompts | null} compared
 * @returns {string[]} lines
 */
export const describeExperiment = (compared) =>
  compared === null
    ? ['Experiments      none: no reviewer ruled on a failed answer']
    : [
        `Experiments      ${compared.items} failed answers with rulings form a dataset; ${compared.prompt} fixes ${compared.improved} and breaks ${compared.regressed} of them`,
      ];
