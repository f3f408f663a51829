import { expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import { getIntegrityState, updateSettings } from './settings';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

test('more concurrent changes of settings than there are connections do not block one another', async () => {
  const project = await createTestProject(runtime);
  const changes = Array.from({ length: 5 * runtime.ctx.env.poolSize }, (_, n) =>
    updateSettings(project, { allowUserFigures: n % 2 === 0 }),
  );
  await Promise.all(changes);
  const versions = await runtime.ctx.sql<
    { version: number }[]
  >`select version from verifier_versions where project_id = ${project.projectId} order by 1`;
  expect(versions.map((row) => row.version)).toEqual(versions.map((_, n) => n + 2));
  expect(versions.length).toBeGreaterThan(0);
});

test('a changed setting is the next version, an unchanged one is not', async () => {
  const project = await createTestProject(runtime);
  expect(await updateSettings(project, { allowUserFigures: true })).toMatchObject({
    allowUserFigures: true,
    derivedCountsAsSourced: false,
  });
  await updateSettings(project, { allowUserFigures: true });
  await updateSettings(project, { integrityEnabled: false });
  expect(await getIntegrityState(project)).toEqual({
    state: 'off',
    offBy: 'project',
    allowUserFigures: true,
    derivedCountsAsSourced: false,
  });
  const [row] = await runtime.ctx
    .sql`select max(version) as version from verifier_versions where project_id = ${project.projectId}`;
  expect(row?.version).toBe(2);
});

test('INT-19 derived figures can be set to count as sourced', async () => {
  const project = await createTestProject(runtime);
  expect(await updateSettings(project, { derivedCountsAsSourced: true })).toMatchObject({
    derivedCountsAsSourced: true,
  });
  expect(await getIntegrityState(project)).toMatchObject({ derivedCountsAsSourced: true });
});

test('a change of nothing leaves no audit row', async () => {
  const project = await createTestProject(runtime);
  await updateSettings(project, {});
  const rows = await runtime.ctx
    .sql`select 1 from audit_events where project_id = ${project.projectId} and action = 'settings.update'`;
  expect(rows).toHaveLength(0);
});
