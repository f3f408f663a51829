import { beforeEach, expect } from 'vitest';
import { test } from '../testing/fixture';
import type { ProjectCtx } from '../server/access';
import type { Ctx } from '../server/platform';
import { type JobQueue, QueueUnavailable } from '../server/queue';
import type { Runtime } from '../server/runtime';
import { createPublisher, type PublisherOptions } from './publisher';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

beforeEach(async () => {
  await runtime.ctx.sql`truncate work`;
});

const planTurns = (count: number) => runtime.ctx.sql`
  insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane)
  select ${project.projectId}, 'w' || n, 'turn', 'w' || n, 1, 'integrity', 'slow' from generate_series(1, ${count}::int) as n`;

async function hinted(): Promise<number> {
  const [row] = await runtime.ctx.sql<{ n: number }[]>`select count(hinted_at)::int as n from work`;
  return row?.n ?? 0;
}

/** A scripted queue, a clock that the test advances, and the publisher's calls to them. */
function createScene(more: Partial<PublisherOptions> = {}) {
  const scene = {
    now: 1_000_000,
    opened: 0,
    closed: 0,
    taken: 0,
    published: [] as string[],
    fault: null as QueueUnavailable | null,
  };
  let comeBack: () => void = () => undefined;
  const line: JobQueue = {
    backend: 'redis',
    taken: () => scene.taken,
    enqueue(_, jobs) {
      if (scene.fault !== null) return Promise.reject(scene.fault);
      scene.published.push(...jobs.map((job) => job.id));
      return Promise.resolve();
    },
    pause: () => Promise.resolve(),
    close() {
      scene.closed++;
      return Promise.resolve();
    },
  };
  const ctx: Ctx = {
    ...runtime.ctx,
    clock: { now: () => new Date(), monotonicMs: () => scene.now },
  };
  const publisher = createPublisher(ctx, {
    concurrency: 5,
    // Recently published jobs count as not picked up.
    staleMs: 0,
    handlers: new Map(),
    idle: () => true,
    onReturn: () => undefined,
    open(_env, _log, options) {
      scene.opened++;
      comeBack = options.onReturn;
      return Promise.resolve(line);
    },
    ...more,
  });
  return { scene, publisher, comeBack: () => comeBack() };
}

test("R-4 waiting rows share jobs, an eighth of a worker's concurrency; a row published again has its own job, always with the same id", async () => {
  await planTurns(10);
  const { scene, publisher } = createScene({ concurrency: 32, staleMs: 1_000 });
  await publisher.runPass();
  expect(scene.published).toHaveLength(3);
  for (const published of [13, 23]) {
    await runtime.ctx.sql`update work set hinted_at = now() - interval '5 seconds'`;
    await publisher.runPass();
    expect(scene.published).toHaveLength(published);
  }
  expect(new Set(scene.published).size).toBe(13);
});

test('R-4 rows that this process has room for get no job', async () => {
  await planTurns(5);
  const here: string[] = [];
  const { scene, publisher } = createScene({
    staleMs: 60_000,
    takeLocally(rows) {
      here.push(...rows.slice(0, 3).map(({ id }) => id));
      return rows.slice(3);
    },
  });
  await publisher.runPass();
  expect(here).toHaveLength(3);
  expect(scene.published).toHaveLength(2);
  expect(scene.published.filter((job) => here.some((id) => job.includes(`.${id}.`)))).toEqual([]);
  expect(await hinted()).toBe(5);
  await publisher.runPass();
  expect(scene.published).toHaveLength(2);
});

test('R-28 a consumer that has room and takes nothing while jobs wait is replaced', async () => {
  await planTurns(2);
  const { scene, publisher } = createScene({ staleMs: 1 });
  await publisher.runPass();
  expect(scene).toMatchObject({ opened: 1, closed: 0 });
  expect(scene.published).toHaveLength(2);
  scene.now += 2_000;
  await runtime.ctx.sql`update work set hinted_at = now() - interval '5 seconds'`;
  await publisher.runPass();
  expect(scene).toMatchObject({ opened: 1, closed: 1 });
  await publisher.runPass();
  expect(scene.opened).toBe(2);
});

test.each([
  { name: 'takes jobs', more: {}, takes: 1 },
  { name: 'has no room', more: { idle: () => false }, takes: 0 },
])('R-28 a consumer that $name is left alone', async ({ more, takes }) => {
  await planTurns(2);
  const { scene, publisher } = createScene({ staleMs: 1, ...more });
  await publisher.runPass();
  for (let round = 0; round < 3; round++) {
    scene.now += 2_000;
    scene.taken += takes;
    await runtime.ctx.sql`update work set hinted_at = now() - interval '5 seconds'`;
    await publisher.runPass();
  }
  expect(scene).toMatchObject({ opened: 1, closed: 0 });
});

test('R-23 while the queue is unavailable rows wait in the database, one is tried at a time, and all are published when it returns', async () => {
  await planTurns(4);
  const { scene, publisher } = createScene({ staleMs: 60_000 });
  scene.fault = new QueueUnavailable('the redis queue is away', false);
  expect(await publisher.runPass()).toBe('enough');
  expect(await hinted()).toBe(0);
  expect(await publisher.runPass()).toBe('enough');
  expect(await hinted()).toBe(0);
  scene.fault = null;
  expect(await publisher.runPass()).toBe('more');
  expect(scene.published).toHaveLength(1);
  expect(await publisher.runPass()).toBe('enough');
  expect(scene.published).toHaveLength(4);
  expect(scene).toMatchObject({ opened: 1, closed: 0 });
});

test('R-27 a queue that does not answer at all is reopened', async () => {
  await planTurns(1);
  const { scene, publisher } = createScene();
  scene.fault = new QueueUnavailable('no answer within 2000 ms', true);
  await publisher.runPass();
  expect(scene).toMatchObject({ opened: 1, closed: 1 });
  expect(await hinted()).toBe(0);
  scene.fault = null;
  scene.now += 2_000;
  await publisher.runPass();
  expect(scene.opened).toBe(2);
  expect(scene.published).toHaveLength(1);
});

test('R-22 when the queue returns, everything it should contain is published again', async () => {
  await planTurns(3);
  const { scene, publisher, comeBack } = createScene({ staleMs: 60_000 });
  await publisher.runPass();
  await publisher.runPass();
  expect(scene.published).toHaveLength(3);
  comeBack();
  await publisher.runPass();
  expect(scene.published).toHaveLength(6);
  expect(new Set(scene.published).size).toBe(3);
});

test('R-20 a queue that cannot be opened is tried once a second, and blocks nothing', async () => {
  await planTurns(1);
  let tries = 0;
  const { scene, publisher } = createScene({
    open() {
      tries++;
      return Promise.reject(new Error('connect ECONNREFUSED'));
    },
  });
  for (const ms of [0, 10, 500, 600, 1_000]) {
    scene.now += ms;
    expect(await publisher.runPass()).toBe('enough');
  }
  expect(tries).toBe(3);
  expect(await hinted()).toBe(0);
});
