// The demo's scripted reviewers: intentionally wrong in a known share of labels. For a part of the
// sample there are two, who see neither the verdict nor each other's label.
import { createRandom } from './random.mjs';

/** @typedef {import('./call-api.mjs').CallApi} CallApi */
/** @typedef {import('./calendar.mjs').Calendar} Calendar */
/** @typedef {import('./summary.mjs').Labels} Labels */

/**
 * @typedef {object} ToLabel
 * @property {string} id
 * @property {string | null} fault
 * @property {string} outcome
 * @property {string} verdictId
 * @property {Date | null} [endedAt] null if the label dates from now
 */

/**
 * The probability that a work is drawn for labelling, higher for tasks, since suggested thresholds
 * need 100 labelled verdicts; that a label is intentionally wrong, and that two reviewers label a
 * drawn work.
 */
const labelRate = 0.3;
export const labelRateOfTasks = 0.9;
const noiseRate = 0.05;
const twoRate = 0.25;
const reviewers = /** @type {const} */ (['Ada (scripted)', 'Ben (scripted)']);
const lead = 'Cleo (scripted)';
const atOnce = 6;

/**
 * Each work is drawn independently with the same probability, which the label records, so that the
 * sample can be weighted for all of them.
 * @param {{ call: CallApi, seed: number, calendar: Calendar | null, meter:
 * import('./progress.mjs').Meter, rate?: number }} how the meter counts works, drawn or not
 * @param {readonly ToLabel[]} judged
 * @returns {Promise<Labels>}
 */
export async function giveLabels({ call, seed, calendar, meter, rate = labelRate }, judged) {
  const random = createRandom(seed);
  const labels = { drawn: 0, given: 0, overruled: 0, wrong: 0, rate, twice: 0, disputed: 0 };
  // All draws come first: only in a fixed order does the same seed yield the same labels.
  const planned = judged.map((each) => ({
    each,
    rulings: random.chance(rate) ? rule(random, each, rate, calendar) : [],
  }));
  for (let at = 0; at < planned.length; at += atOnce) {
    const some = planned.slice(at, at + atOnce);
    await Promise.all(
      some.map(async ({ each, rulings }) => {
        for (const { body } of rulings)
          await call(`/v1/verifications/${encodeURIComponent(each.verdictId)}/overrides`, body);
      }),
    );
    meter.add(some.length);
  }
  for (const { each, rulings } of planned) {
    const last = rulings.at(-1);
    if (last === undefined) continue;
    labels.drawn++;
    labels.given += rulings.length;
    labels.wrong += rulings.filter(({ isWrong }) => isWrong).length;
    if (rulings.length > 1) labels.twice++;
    if (rulings.length > 2) labels.disputed++;
    if (each.outcome !== (last.isGood ? 'passed' : 'failed')) labels.overruled++;
  }
  return labels;
}

/** @typedef {{ body: Record<string, unknown>, isGood: boolean, isWrong: boolean }} Ruling */

/**
 * One reviewer who sees the verdict, or two who do not, and the lead where those two disagree.
 * @param {import('./random.mjs').Random} random @param {ToLabel} work @param {number} rate @param
 * {Calendar | null} calendar @returns {Ruling[]}
 */
function rule(random, work, rate, calendar) {
  const minutes = random.between(45, 20 * 60);
  const given = (
    /** @type {string} */ rater,
    /** @type {number} */ place,
    /** @type {boolean} */ isBlind,
    /** @type {boolean} */ isWrong,
  ) => {
    const isGood = (work.fault === null) !== isWrong;
    const found =
      work.fault === null ? 'nothing is wrong' : `planted: ${work.fault.replaceAll('_', ' ')}`;
    return {
      isGood,
      isWrong,
      body: {
        id: `${work.id}-label${place === 0 ? '' : `-${place + 1}`}`,
        verdict: isGood ? 'pass' : 'fail',
        reason: isWrong
          ? `Scripted reviewer, wrong on purpose (${found}).`
          : `Scripted reviewer: ${found}.`,
        grade: isGood ? random.pick([4, 5]) : random.pick([1, 2]),
        rater,
        probability: rate,
        ...(isBlind && { blind: true }),
        ...(calendar !== null &&
          work.endedAt != null && {
            created_at: calendar.after(work.endedAt, minutes + place * 25).toISOString(),
          }),
      },
    };
  };
  if (!random.chance(twoRate))
    return [given(random.pick(reviewers), 0, false, random.chance(noiseRate))];
  const two = reviewers.map((rater, place) => given(rater, place, true, random.chance(noiseRate)));
  return two[0]?.isGood === two[1]?.isGood ? two : [...two, given(lead, 2, false, false)];
}
