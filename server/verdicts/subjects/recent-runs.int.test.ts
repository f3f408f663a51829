import { expect } from 'vitest';
import { updateSettings } from '../settings';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createRecentRuns } from './recent-runs';

const retriesOf = async (
  runsFor: ReturnType<typeof createRecentRuns>,
  work: { readonly projectId: string; readonly createdAt: Date },
): Promise<number> => {
  const runs = await runsFor(work);
  return (await runs.judgingOf(work.projectId, 'task')).retries;
};

test('work that follows a change of settings is verified by it; the settings are read once otherwise', async ({
  runtime,
}) => {
  const [one, two] = [await createTestProject(runtime), await createTestProject(runtime)];
  const runsFor = createRecentRuns(runtime.ctx, runtime.subjects);
  const work = (project: typeof one) => ({
    projectId: project.projectId,
    createdAt: runtime.ctx.clock.now(),
  });
  for (let retries = 0; retries < 6; retries++) {
    await updateSettings(one, { retries });
    expect(await retriesOf(runsFor, work(one))).toBe(retries);
    expect(await retriesOf(runsFor, work(one))).toBe(retries);
    expect(await retriesOf(runsFor, work(two))).toBe(2);
  }
  const [first, second] = [await runsFor(work(two)), await runsFor(work(two))];
  expect(first).toBe(second);
});

test('S-12 work that is older than a change is verified by it within a second', async ({
  runtime,
}) => {
  const project = await createTestProject(runtime);
  let now = runtime.ctx.clock.now().getTime();
  const clock = { ...runtime.ctx.clock, now: () => new Date(now) };
  const runsFor = createRecentRuns({ ...runtime.ctx, clock }, runtime.subjects);
  const work = { projectId: project.projectId, createdAt: new Date(now - 60_000) };
  await updateSettings(project, { retries: 4 });
  expect(await retriesOf(runsFor, work)).toBe(4);
  await updateSettings(project, { retries: 5 });
  now += 800;
  expect(await retriesOf(runsFor, work)).toBe(5);
});
