import { BaseSequencer } from 'vitest/node';

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

/**
 * The slowest files, slowest first. A fresh clone has no durations of an earlier run, and a slow
 * file that starts last would run while all other workers are idle.
 */
const heavy = [
  'server/api/http/large-answers.int.test.ts',
  'demo/weeks.int.test.ts',
  'server/api/http/storage-faults.int.test.ts',
  'workers/slow-lane.int.test.ts',
  'sdk/python/python.int.test.ts',
  'sdk/cli/import-sets.int.test.ts',
  'server/code/gates/versions.int.test.ts',
  'server/api/http/budget.int.test.ts',
  'server/api/http/load-large.int.test.ts',
  'server/api/http/trace-sizes.int.test.ts',
  'server/code/gates/compile.int.test.ts',
  'sdk/cli/commands.int.test.ts',
  'sdk/cli/verifiers.int.test.ts',
  'server/code/gates/left-out.int.test.ts',
  'server/route-matrix.int.test.ts',
  'server/gateway/large-bodies.int.test.ts',
  'scripts/ci-templates.int.test.ts',
  'server/gateway/gateway.int.test.ts',
  'server/ingest/assembly/trace-late.int.test.ts',
  'sdk/client/api.int.test.ts',
  'server/stats/coverage-corrected.test.ts',
  'server/figures/linear.test.ts',
  'server/gateway/dialects/dialects.test.ts',
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
