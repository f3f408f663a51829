import { BaseSequencer } from 'vitest/node';

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

/**
 * The slowest files, slowest first. A fresh clone has no durations of an earlier run, and a slow
 * file that begins last runs while all other workers are idle.
 */
const heavy = [
  'workers/slow-lane.int.test.ts',
  'server/code/gates/versions.int.test.ts',
  'server/code/gates/left-out.int.test.ts',
  'server/code/gates/compile.int.test.ts',
  'server/code/gates/isolated/scripts.int.test.ts',
  'server/route-matrix.int.test.ts',
  'server/api/http/load-large.int.test.ts',
  'sdk/cli/commands.int.test.ts',
  'workers/schedules.int.test.ts',
  'server/sandbox/memory.int.test.ts',
  'server/experiments/promotion/promotion.int.test.ts',
  'server/gateway/gateway.int.test.ts',
  'workers/slow-faults.int.test.ts',
  'server/figures/linear.test.ts',
  'scripts/plain-names.test.ts',
  'server/stats/coverage-corrected.test.ts',
];

/**
 * @param {TestSpecification} file
 * @returns {number}
 */
function placeOf({ moduleId }) {
  const found = heavy.findIndex((path) => moduleId.endsWith(`/${path}`));
  return found === -1 ? heavy.length : found;
}

/** Runs the files above first, and the others in vitest's own order. */
export class HeavyFirst extends BaseSequencer {
  /**
   * @override
   * @param {TestSpecification[]} files
   * @returns {Promise<TestSpecification[]>}
   */
  async sort(files) {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b));
  }
}
