/**
 * @typedef {object} Random the same seed yields the same draws
 * @property {() => number} next from 0 to 1, without 1
 * @property {(from: number, to: number, decimals?: number) => number} between
 * @property {<T>(list: readonly T[]) => T} pick
 * @property {(probability: number) => boolean} chance
 */

/**
 * A 32-bit linear congruential generator (multiplier and increment of Numerical Recipes, 1992) with
 * its bits mixed: for a demo, not for secrets.
 * @param {number} seed
 * @returns {Random}
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    return ((mixed ^ (mixed >>> 13)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (from, to, decimals = 0) => Number((from + next() * (to - from)).toFixed(decimals)),
    pick(list) {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
    chance: (probability) => next() < probability,
  };
}
