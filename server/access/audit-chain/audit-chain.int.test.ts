import { expect } from 'vitest';
import { test } from '../../../testing/fixture';
import { createTestProject, createTestRuntime } from '../../../testing/database';
import { deleteProject, eraseAuditTexts } from '../erase';
import { recordAudit } from '../audit';
import { rewrapSecrets } from '../rewrap-secrets';
import type { ProjectCtx } from '../actor';
import { checkAuditChains, checkNextChain, getChainState, sealAuditEvents } from '.';

const actions = [
  'labels.override',
  'gateway.steer',
  'members.changeRole',
  'keys.create',
  'data.delete',
];

/** Records one event of each kind and seals them. */
async function recordAll(ctx: ProjectCtx): Promise<void> {
  for (const action of actions)
    await recordAudit(ctx, ctx.db, ctx.actor, {
      projectId: ctx.projectId,
      action,
      target: `t-${action}`,
      detail: { note: action },
    });
  while ((await sealAuditEvents(ctx)) > 0);
}

const problemsOf = async (ctx: ProjectCtx): Promise<(string | null)[]> =>
  (await checkAuditChains(ctx))
    .filter(({ chain }) => chain === ctx.projectId)
    .map(({ problem }) => problem);

test('S-109 every event is in the chain of its project, and an unchanged chain has no problem', async ({
  runtime,
}) => {
  const project = await createTestProject(runtime);
  await recordAll(project);
  await recordAll(project);
  const [chain] = (await checkAuditChains(runtime.ctx)).filter(
    (each) => each.chain === project.projectId,
  );
  const [stored] = await runtime.ctx.sql<{ n: number }[]>`
    select count(*)::int as n from audit_events where project_id = ${project.projectId}`;
  expect(chain).toEqual({ chain: project.projectId, events: stored?.n, problem: null });
});

/** Manipulations by someone with write access to the database, without ASSAY_SECRET. */
const attacks: readonly (readonly [string, (ctx: ProjectCtx) => Promise<unknown>, RegExp])[] = [
  ...['actor_label', 'actor_id', 'action', 'target', 'mac', 'detail_hash'].map(
    (column) =>
      [
        `changes ${column}`,
        ({ sql, projectId }: ProjectCtx) =>
          sql`update audit_events set ${sql(column)} = 'x' where project_id = ${projectId} and action = 'keys.create'`,
        /^Event \d+ .*keys\.create|^Event \d+ .*was/,
      ] as const,
  ),
  [
    'moves the time by a microsecond',
    ({ sql, projectId }) =>
      sql`update audit_events set at = at + interval '1 microsecond' where project_id = ${projectId} and action = 'keys.create'`,
    /keys\.create.*was changed/,
  ],
  [
    'changes the detail',
    ({ sql, projectId }) =>
      sql`update audit_events set detail = '{"note": "nothing"}' where project_id = ${projectId} and action = 'keys.create'`,
    /keys\.create.*was changed/,
  ],
  [
    'deletes an event',
    ({ sql, projectId }) =>
      sql`delete from audit_events where project_id = ${projectId} and action = 'keys.create'`,
    /is missing/,
  ],
  [
    'deletes the last events',
    ({ sql, projectId }) =>
      sql`delete from audit_events where project_id = ${projectId} and position > 3`,
    /^Events after event 3 are missing/,
  ],
  [
    'deletes the last events and shortens the chain',
    async ({ sql, projectId }) => {
      await sql`delete from audit_events where project_id = ${projectId} and position > 3`;
      await sql`
        update audit_chains c set length = 3, mac = e.mac from audit_events e
        where c.project_id = ${projectId} and e.project_id = ${projectId} and e.position = 3`;
    },
    /^Events after event 3 are missing/,
  ],
  [
    'swaps two events',
    ({ sql, projectId }) =>
      sql`update audit_events set position = 7 - position where project_id = ${projectId} and position in (3, 4)`,
    /was changed/,
  ],
  [
    'edits an event and lets it be resealed',
    async (ctx) => {
      const { sql, projectId } = ctx;
      await sql`
        update audit_events set target = 'x', position = null, mac = null
        where project_id = ${projectId} and action = 'keys.create'`;
      await sealAuditEvents(ctx);
    },
    /is missing/,
  ],
  [
    'copies the seal of another project',
    async (ctx) => {
      const { sql, projectId } = ctx;
      await sql`
        update audit_events e set mac = o.mac from audit_events o
        where e.project_id = ${projectId} and e.position = 4 and o.project_id <> ${projectId} and o.position = 4`;
    },
    /was changed|not sealed/,
  ],
  [
    'deletes the record of the end',
    ({ sql, projectId }) => sql`delete from audit_chains where project_id = ${projectId}`,
    /record of the end of the chain is missing/,
  ],
  [
    'deletes all seals but one, and the record of the end',
    async (ctx) => {
      const { sql, projectId } = ctx;
      await sql`delete from audit_chains where project_id = ${projectId}`;
      await sql`
        update audit_events set position = null, mac = null
        where project_id = ${projectId} and position > 1`;
      await sealAuditEvents(ctx);
    },
    /was changed|is missing/,
  ],
];

test.for(attacks)(
  'S-109 %s: the check reports it',
  async ([, attack, problem], { runtime, project }) => {
    await recordAll(project);
    const victim = await createTestProject(runtime);
    await recordAll(victim);
    expect(await problemsOf(victim)).toEqual([null]);
    await attack({ ...victim, sql: runtime.ctx.sql });
    expect((await problemsOf(victim))[0]).toMatch(problem);
    expect(await problemsOf(project)).toEqual([null]);
  },
);

test('S-109 the check of a worker stores the problem for the console', async ({ runtime }) => {
  const project = await createTestProject(runtime);
  await recordAll(project);
  while (await checkNextChain(runtime.ctx));
  expect(await getChainState(project)).toEqual({ checkedAt: expect.any(Date), problem: null });
  await project.sql`update audit_events set target = 'x' where project_id = ${project.projectId} and position = 2`;
  await project.sql`update audit_chains set checked_at = now() - interval '2 hours' where project_id = ${project.projectId}`;
  while (await checkNextChain(runtime.ctx));
  expect((await getChainState(project)).problem).toContain('was changed');
});

test('the audit detail of a deleted object is removed without breaking the chain', async ({
  runtime,
}) => {
  const project = await createTestProject(runtime);
  await recordAll(project);
  await eraseAuditTexts(project.sql, project.projectId, ['t-labels.override']);
  expect(await problemsOf(project)).toEqual([null]);
});

test('after a change of ASSAY_SECRET, chains verify with the previous secret and rewrap reseals them', async ({
  runtime,
  database,
}) => {
  const project = await createTestProject(runtime);
  await recordAll(project);
  const secret = 'next-secret-next-secret-next-secret-next';
  const rotated = createTestRuntime(database.url, {
    ASSAY_SECRET: secret,
    ASSAY_SECRET_PREVIOUS: runtime.ctx.env.secret ?? '',
  });
  const withoutPrevious = createTestRuntime(database.url, { ASSAY_SECRET: secret });
  const problemIn = async (ctx: typeof rotated.ctx) =>
    (await checkAuditChains(ctx)).find(({ chain }) => chain === project.projectId)?.problem;
  expect(await problemIn(rotated.ctx)).toBeNull();
  expect(await problemIn(withoutPrevious.ctx)).toContain('different ASSAY_SECRET');
  await rewrapSecrets(rotated.ctx);
  expect(await problemIn(withoutPrevious.ctx)).toBeNull();
  await Promise.all([rotated.close(), withoutPrevious.close()]);
});

test('S-109 a chain that was deleted as a whole starts again with a warning', async ({
  database,
}) => {
  const warnings: unknown[] = [];
  const runtime = createTestRuntime(database.url);
  const project = await createTestProject(runtime);
  await recordAll(project);
  const { sql } = runtime.ctx;
  const { projectId } = project;
  await sql`delete from audit_chains where project_id = ${projectId}`;
  await sql`
    update audit_events set position = null, mac = null, at = at - interval '1 day'
    where project_id = ${projectId}`;
  const log = { ...runtime.ctx.log, warn: (facts: unknown) => void warnings.push(facts) };
  await sealAuditEvents({ ...runtime.ctx, log: log as unknown as typeof runtime.ctx.log });
  expect(warnings).toEqual([{ chain: projectId, events: expect.any(Number) }]);
  await runtime.close();
});

test('a deleted project leaves no chain, although its last events were sealed while it was deleted', async ({
  runtime,
}) => {
  const { sql } = runtime.ctx;
  const project = await createTestProject(runtime);
  const { projectId } = project;
  await sql`delete from audit_chains where project_id = ${projectId}`;
  await recordAll(project);
  await sql`delete from audit_events where project_id = ${projectId}`;
  await deleteProject(sql, projectId);
  expect(await problemsOf(project)).toEqual([]);
});
