import { expect } from 'vitest';
import { test } from '../testing/fixture';
import type { Runtime } from '../server/runtime';
import { checkSet, hasData } from './data/check-set';
import { dataSets } from './data/sets';
import { openInProcess } from './data/wires';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

/**
 * The number of figures in `expected.json` for each: a check that compares none of them cannot
 * pass.
 */
const figures: Readonly<Record<string, number>> = {
  'judge-binary-realmistake': 3 + 12 * 7 + 1,
  'judge-pairwise-pandalm': 1 + 3 + 3 + 2 * 6,
  'judge-pairwise-llmbar': 1 + 5 + 1 + 12 * 6 * 4,
  'judge-pairwise-mtbench-human': 1 + 1 + 1 + 8 * 2 * 4,
  'judge-pairwise-judgebench-decisions': 2 * 3,
  'rubric-conala-usefulness': 3 + 2 * 8,
  'rubric-topical-chat': 1 + 6 * 2,
};

test('every data set of the check is counted here', () => {
  expect(dataSets.map(({ name }) => name).sort()).toEqual(Object.keys(figures).sort());
});

test.each(dataSets.map((set) => [set.name, set] as const))(
  'X-1, SOAR-26: imported %s gives every published figure to the last digit',
  async (name, set) => {
    if (!hasData(set)) {
      process.stderr.write(`skipped: shared data not present (${name})\n`);
      return;
    }
    const compared = await checkSet(set, await openInProcess(runtime));
    expect(compared.filter(({ actual, expected }) => actual !== expected)).toEqual([]);
    expect(compared).toHaveLength(figures[name] ?? 0);
  },
);
