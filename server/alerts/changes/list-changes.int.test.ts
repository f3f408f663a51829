import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { listChanges } from './list-changes';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const dayAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Counts as settling writes them: `days` ago, for one model. */
async function rolled(
  days: number,
  model: string,
  passed: number,
  failed: number,
  owner: ProjectCtx = project,
): Promise<void> {
  await owner.sql`
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed)
    values (${owner.projectId}, ${dayAgo(days)}::date, 'integrity', ${model}, ${passed}, ${failed})`;
}

test('the pass rate is shown next to that of the same number of days before, with the difference by Newcombe', async () => {
  // calibration.md 5.1: 42/50 against 36/50 is 0.12, from -0.0435 to 0.2767.
  await rolled(0, 'm', 20, 4);
  await rolled(6, 'm', 22, 4);
  await rolled(7, 'm', 30, 7);
  await rolled(13, 'm', 6, 7);
  await rolled(14, 'm', 1000, 0);
  const { verifiers, from, before } = await listChanges(project, { days: 7 });
  expect([from.toISOString().slice(0, 10), before.toISOString().slice(0, 10)]).toEqual([
    dayAgo(6),
    dayAgo(13),
  ]);
  const integrity = verifiers.find(({ verifier }) => verifier === 'integrity');
  expect(integrity?.passRate).toMatchObject({
    now: { numerator: 42, denominator: 50 },
    before: { numerator: 36, denominator: 50 },
  });
  expect(integrity?.passRate.difference?.value).toBeCloseTo(0.12, 9);
  expect(integrity?.passRate.difference?.low).toBeCloseTo(-0.0435, 4);
  expect(integrity?.passRate.difference?.high).toBeCloseTo(0.2767, 4);
  expect(integrity?.catchRate).toEqual({
    now: { numerator: 0, denominator: 0 },
    before: { numerator: 0, denominator: 0 },
    difference: null,
  });
});

test('X-12 with fewer than 20 there is no difference', async () => {
  await rolled(0, 'm', 19, 0);
  await rolled(1, 'm', 30, 30);
  const { verifiers } = await listChanges(project, { days: 1 });
  expect(verifiers).toMatchObject([{ verifier: 'integrity', passRate: { difference: null } }]);
});

test('new failures fail now and did not before, the worst first; nothing of another project is included', async () => {
  await rolled(0, 'turned', 5, 3);
  await rolled(1, 'turned', 9, 0);
  await rolled(0, 'new', 0, 4);
  await rolled(0, 'always', 0, 50);
  await rolled(1, 'always', 0, 1);
  await rolled(0, 'fine', 10, 0);
  await rolled(0, '', 0, 1);
  await rolled(0, 'foreign', 0, 9, await createTestProject(runtime));
  const { newlyFailing } = await listChanges(project, { days: 1 });
  expect(newlyFailing).toEqual([
    { verifier: 'integrity', model: 'new', failed: 4, decided: 4, decidedBefore: 0 },
    { verifier: 'integrity', model: 'turned', failed: 3, decided: 8, decidedBefore: 9 },
    { verifier: 'integrity', model: null, failed: 1, decided: 1, decidedBefore: 0 },
  ]);
});
