import { beforeEach, expect } from 'vitest';
import { testWith } from '../testing/fixture';
import { until } from '../testing/until';
import type { ProjectCtx } from '../server/access';
import { type ClaimedWork, claimSlowWork } from '../server/queue';
import type { Runtime } from '../server/runtime';
import { createLeasedWork } from './leased-work';

const test = testWith({ ASSAY_LEASE_MS: '600' });
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

beforeEach(async () => {
  await runtime.ctx.sql`truncate work, work_attempts`;
});

async function claim(id: string): Promise<ClaimedWork> {
  const { projectId } = project;
  await runtime.ctx.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane)
    values (${projectId}, ${id}, 'turn', ${id}, 1, 'integrity', 'slow')`;
  const work = await claimSlowWork(runtime.ctx, { owner: 'w1', projectId, id });
  if (work === null) throw new Error('not claimed');
  return work;
}

async function rowOf(id: string) {
  const [row] = await runtime.ctx.sql<Record<string, unknown>[]>`
    select owner, attempts, reason, due_at > now() as later, (select count(*)::int from work_attempts where work_id = work.id) as ended
    from work where id = ${id}`;
  return { ...row };
}

const storageAway = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const refused = Object.assign(new Error('invalid byte sequence'), { code: '22021' });

test.each([
  {
    end: 'an error',
    error: new Error('the judge answered nonsense'),
    row: { attempts: 1, reason: 'the judge answered nonsense', ended: 1 },
  },
  {
    end: 'data that cannot be stored',
    error: refused,
    row: { attempts: 1, reason: 'invalid byte sequence', ended: 1 },
  },
  {
    end: 'storage that is away, which is not counted',
    error: storageAway,
    row: { attempts: 0, reason: 'storage was unavailable', ended: 0 },
  },
])('R-19 an attempt that ends with $end is returned for later', async ({ error, row }) => {
  const leasedWork = createLeasedWork(runtime.ctx, 'w1');
  await leasedWork.run(await claim('a'), 60_000, () => Promise.reject(error));
  expect(await rowOf('a')).toEqual({ owner: null, later: true, ...row });
  expect(leasedWork.size()).toBe(0);
  await leasedWork.stop();
});

test('R-50 a run past its timeout is aborted, is not waited for, and fails the attempt', async () => {
  const leasedWork = createLeasedWork(runtime.ctx, 'w1');
  let aborted = false;
  await leasedWork.run(await claim('b'), 50, (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return new Promise(() => undefined);
  });
  expect(aborted).toBe(true);
  expect(await rowOf('b')).toMatchObject({
    owner: null,
    attempts: 1,
    reason: 'it took longer than 0.05 s',
  });
  await leasedWork.stop();
});

test("R-17 the lease is kept during a call; a run that lost its lease is aborted, and the new owner's work is left alone", async () => {
  const leasedWork = createLeasedWork(runtime.ctx, 'w1');
  const work = await claim('c');
  const first = await runtime.ctx.sql<{ due_at: string }[]>`select due_at from work where id = 'c'`;
  const running = leasedWork.run(work, 60_000, () => new Promise(() => undefined));
  await until('the lease was extended', async () => {
    const [row] = await runtime.ctx.sql<
      { due_at: string }[]
    >`select due_at from work where id = 'c'`;
    return row !== undefined && row.due_at > (first[0]?.due_at ?? '') ? true : null;
  });
  await runtime.ctx.sql`update work set owner = 'w2', fence = fence + 1 where id = 'c'`;
  await running;
  expect(await rowOf('c')).toMatchObject({ owner: 'w2', attempts: 1, reason: null, ended: 0 });
  await leasedWork.stop();
});

test('R-16 on stop the work in progress is returned, due at once and uncounted', async () => {
  const leasedWork = createLeasedWork(runtime.ctx, 'w1');
  const running = leasedWork.run(await claim('d'), 60_000, () => new Promise(() => undefined));
  await leasedWork.emptied(1);
  expect(leasedWork.size()).toBe(1);
  await leasedWork.stop();
  await running;
  expect(await rowOf('d')).toEqual({
    owner: null,
    attempts: 0,
    reason: null,
    later: false,
    ended: 0,
  });
});
