// The times of work over the four weeks that the demo simulates: increasing week by week, little at
// night, and less on Saturdays and Sundays.
import { createRandom } from './random.mjs';

const hourMs = 3_600_000;
const weeks = 4;
const hours = weeks * 7 * 24;
/**
 * The last times are far enough in the past that no work reaches into the future: a request's
 * checkpoints take minutes.
 */
const marginMs = 20 * 60_000;
/** Day of the four weeks on which a model is replaced by one that makes more errors. */
const changeDay = 15;

/**
 * @typedef {object} Calendar
 * @property {(count: number, salt: number) => Date[]} momentsOf this number of moments in order;
 *   the same seed and salt yield the same ones
 * @property {Date} changedAt when the smaller model of the ops assistant was replaced
 * @property {(at: Date, minutes: number) => Date} after this much later, but not in the future
 */

/** @param {{ seed: number, now: Date }} options @returns {Calendar} */
export function createCalendar({ seed, now }) {
  const end = now.getTime() - marginMs;
  const begin = end - hours * hourMs;
  /** Cumulative weights of all earlier hours. */
  const sums = [0];
  for (let hour = 0; hour < hours; hour++)
    sums.push((sums[hour] ?? 0) + weightOf(new Date(begin + hour * hourMs), hour));
  const totalWeight = sums[hours] ?? 1;
  const momentAt = (/** @type {number} */ share) => {
    const sought = share * totalWeight;
    const hour = Math.min(hours - 1, Math.max(0, sums.findIndex((sum) => sum > sought) - 1));
    const [from = 0, to = 1] = sums.slice(hour, hour + 2);
    return new Date(Math.floor(begin + (hour + (sought - from) / (to - from)) * hourMs));
  };
  return {
    momentsOf(count, salt) {
      const random = createRandom(Math.imul(seed + salt, 0x9e3779b1));
      return Array.from({ length: count }, (_, n) => momentAt((n + random.next()) / count));
    },
    changedAt: new Date(begin + changeDay * 24 * hourMs),
    after: (at, minutes) => new Date(Math.min(at.getTime() + minutes * 60_000, now.getTime())),
  };
}

/** @param {Date} at @param {number} hour of the four weeks */
function weightOf(at, hour) {
  const ofDay = at.getUTCHours() >= 7 && at.getUTCHours() < 19 ? 1 : 0.12;
  const ofWeek = at.getUTCDay() % 6 === 0 ? 0.3 : 1;
  return ofDay * ofWeek * (1 + (1.2 * hour) / hours);
}
