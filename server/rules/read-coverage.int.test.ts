import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { putRule, readCoverage } from './index';
import { RuleBody } from './input';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

/** Daily counts as decisions write them. */
async function decide(
  rule: string,
  state: string,
  count: number,
  { daysAgo = 0, of = project } = {},
): Promise<void> {
  await of.sql`
    insert into decision_rollups (project_id, day, rule, state, shard, count)
    values (${of.projectId}, (now() at time zone 'UTC')::date - ${daysAgo}::int, ${rule}, ${state}, '', ${count})`;
}

const today = (): Date => new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000);

test('coverage is what the rules of a verifier selected, of what they could have selected', async () => {
  expect(await readCoverage(project, { from: today() })).toEqual([]);
  for (const name of ['a', 'b'])
    await putRule(project, runtime.rules, name, RuleBody.parse({ verifier: 'integrity' }));
  await decide('a', 'run', 30);
  await decide('a', 'sampled_out', 50);
  await decide('a', 'filtered', 400);
  await decide('a', 'duplicate', 7);
  await decide('a', 'no_subject', 9);
  await decide('b', 'run', 5);
  await decide('b', 'over_budget', 15);
  await decide('a', 'run', 1000, { daysAgo: 1 });
  await decide('deleted', 'run', 3);
  await decide('a', 'run', 8, { of: await createTestProject(runtime) });
  expect(await readCoverage(project, { from: today() })).toEqual([
    { verifier: 'integrity', rules: ['a', 'b'], selected: 35, eligible: 100 },
  ]);
});
