import { describe, expect } from 'vitest';
import { createTestRuntime } from '../../testing/database';
import { test } from '../../testing/fixture';
import { startRedis } from '../../testing/redis';
import { startScriptedLlm } from '../../testing/scripted-llm';
import { findFreePort } from '../../scripts/postgres.mjs';
import { openProjectAsSystem } from '../access';
import { putProvider } from '../llm';
import type { Ctx } from '../platform';
import { storeBoxReport } from '../queue';
import { checkSchema, type Runtime } from '../runtime';
import type { BoxState } from '../sandbox';
import { checkDisk } from './check-disk';
import { queueDiagnosis } from './check-queue';
import { type Diagnosis, diagnose } from '.';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

const box = (state: BoxState['state'], reason: string | null = null): BoxState => ({
  state,
  reason,
  fix: reason === null ? null : 'Install bubblewrap.',
  tier: null,
  checkedAt: null,
});

const run = (ctx: Ctx, local: BoxState = box('ready')): Promise<readonly Diagnosis[]> =>
  diagnose(ctx, { checkSchema, checkBox: () => Promise.resolve(local) });

/** A context with other settings. */
const withEnv = (env: Partial<Ctx['env']>): Ctx => ({
  ...runtime.ctx,
  env: { ...runtime.ctx.env, ...env },
});

const of = (found: readonly Diagnosis[], check: string): Diagnosis | undefined =>
  found.find((each) => each.check === check);

describe('assay doctor', () => {
  test('an installation that works has no fault, and each check says what it found', async () => {
    await storeBoxReport(runtime.ctx, 'worker-1', box('ready'));
    const found = await run(runtime.ctx);
    expect(found.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(found.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['node', 'database', 'clock', 'schema', 'workers', 'sandbox']),
    );
    expect(of(found, 'workers')).toMatchObject({ state: 'ok', found: 'one worker runs' });
    // The tests' own cluster is faster, because it may lose commits.
    expect(of(found, 'durability')?.state).toBe('warning');
    for (const { state, fix } of found) expect(fix === null).toBe(state === 'ok');
    await runtime.ctx.sql`delete from worker_boxes`;
  });

  test.for<[number, string | null]>([
    [0, null],
    [1_500, null],
    [-1_500, null],
    [5_000, '5.0 s ahead of'],
    [-90_000, '90.0 s behind'],
  ])('a clock that differs by %i ms', async ([ms, wording]) => {
    const clock = {
      now: () => new Date(runtime.ctx.clock.now().getTime() + ms),
      monotonicMs: () => runtime.ctx.clock.monotonicMs(),
    };
    const found = of(await run({ ...runtime.ctx, clock }), 'clock');
    expect(found?.state).toBe(wording === null ? 'ok' : 'warning');
    if (wording !== null) expect(found?.found).toContain(wording);
  });

  test('a database that cannot be reached is one fault, and the rest is still checked', async () => {
    const url = `postgres://assay:assay@127.0.0.1:${await findFreePort()}/assay`;
    const away = createTestRuntime(url);
    const found = await run(away.ctx);
    expect(of(found, 'database')).toMatchObject({
      state: 'failed',
      fix: expect.stringContaining('DATABASE_URL') as string,
    });
    expect(of(found, 'schema')).toBeUndefined();
    expect(of(found, 'queue')?.state).toBe('ok');
    await away.close();
  });

  test('a database with another schema is a fault with its fix', async () => {
    const found = await diagnose(runtime.ctx, {
      checkSchema: () => Promise.reject(new Error('the database lacks 2 migration(s)')),
    });
    expect(of(found, 'schema')).toMatchObject({
      state: 'failed',
      found: 'the database lacks 2 migration(s)',
    });
    expect(of(found, 'workers')).toBeUndefined();
  });

  test('Redis: unavailable, and one that stores jobs', async () => {
    const away = `redis://127.0.0.1:${await findFreePort()}`;
    expect(of(await run(withEnv({ redisUrl: away })), 'queue')?.state).toBe('failed');
    const redis = await startRedis();
    if (redis === null) return;
    expect(of(await run(withEnv({ redisUrl: redis.url })), 'queue')?.state).toBe('ok');
    await redis.stop();
  });

  test.for(['allkeys-lru', 'volatile-ttl'])('a Redis that removes jobs: %s', (policy) => {
    const found = queueDiagnosis({ version: '7.0.15', maxmemoryPolicy: policy });
    expect(found).toMatchObject({ state: 'warning' });
    expect(found.found).toContain(policy);
  });

  test('workers and sandboxes: as the workers report, else as this machine tests', async () => {
    const alone = await run(runtime.ctx, box('failing', 'no namespaces'));
    expect(of(alone, 'workers')?.state).toBe('failed');
    expect(of(alone, 'sandbox')).toMatchObject({ state: 'warning', found: 'no namespaces' });
    await storeBoxReport(runtime.ctx, 'worker-1', box('missing', 'no bwrap'));
    await storeBoxReport(runtime.ctx, 'worker-2', box('missing', 'no bwrap'));
    const reported = await run(runtime.ctx);
    expect(of(reported, 'workers')).toMatchObject({ state: 'ok', found: '2 workers run' });
    expect(of(reported, 'sandbox')).toMatchObject({ state: 'warning', found: 'no bwrap' });
    await runtime.ctx.sql`delete from worker_boxes`;
  });

  test('late and quarantined work', async ({ project }) => {
    const { sql } = runtime.ctx;
    const plan = (id: string, state: string, seconds: number) => sql`
      insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state, due_at)
      values (${project.projectId}, ${id}, 'turn', ${id}, 1, 'integrity', ${state},
        now() - ${seconds} * interval '1 second')`;
    await plan('a', 'waiting', 5);
    expect(of(await run(runtime.ctx), 'backlog')?.state).toBe('ok');
    await plan('b', 'waiting', 300);
    await plan('c', 'quarantined', 0);
    const found = await run(runtime.ctx);
    expect(of(found, 'backlog')).toMatchObject({
      state: 'warning',
      found: expect.stringMatching(/^2 verifications wait, .* 30\d s$/) as string,
    });
    expect(of(found, 'quarantine')?.state).toBe('warning');
    await sql`delete from work`;
  });

  test('providers: each origin once, by the rules of outbound calls', async ({ project }) => {
    const llm = await startScriptedLlm();
    const allowed = createTestRuntime(runtime.ctx.env.databaseUrl, {
      ASSAY_OUTBOUND_ALLOW: new URL(llm.origin).host,
    });
    const calling = await openProjectAsSystem(allowed.ctx, project.projectSlug, 'test');
    for (const name of ['one', 'two'])
      await putProvider(calling, name, {
        kind: 'openai_compatible',
        base_url: llm.baseUrl,
        api_key: 'sk-test',
        models: ['m'],
        enabled: true,
        prices: [],
      });
    const found = (await run(allowed.ctx)).filter(({ check }) => check === 'outbound');
    expect(found).toMatchObject([{ state: 'ok' }]);
    expect(found[0]?.found).toContain(llm.origin);
    expect(of(await run(runtime.ctx), 'outbound')).toMatchObject({
      state: 'warning',
      fix: expect.stringContaining('ASSAY_OUTBOUND_ALLOW') as string,
    });
    await llm.close();
    expect(of(await run(allowed.ctx), 'outbound')?.state).toBe('warning');
    await allowed.close();
  });

  test('an unavailable mail server', async () => {
    const mail = { smtpUrl: `smtp://127.0.0.1:${await findFreePort()}`, from: 'a@example.org' };
    expect(of(await run(withEnv({ mail })), 'mail')?.state).toBe('warning');
  });
});

const gib = 1024 ** 3;

test.for<[string, number, number, string]>([
  ['plenty', 50, 100, 'ok'],
  ['little', 5, 100, 'warning'],
  ['almost none', 0.5, 100, 'failed'],
  ['almost none of a small disk', 0.5, 2, 'failed'],
])('free space: %s', async ([, free, total, state]) => {
  const statOf = () => Promise.resolve({ bavail: free * gib, blocks: total * gib, bsize: 1 });
  const [found] = await checkDisk('/data', statOf as unknown as Parameters<typeof checkDisk>[1]);
  expect(found?.state).toBe(state);
});

test('free space of a folder that does not exist', async () => {
  expect(await checkDisk('/nowhere/at/all')).toMatchObject([{ check: 'disk', state: 'failed' }]);
  expect(await checkDisk(null)).toEqual([]);
});
