import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../testing/database';
import { testWith } from '../testing/fixture';
import type { ProjectCtx } from '../server/access';
import { refused } from '../server/platform';
import {
  cancelJob,
  saveJobProgress,
  claimJob,
  createJob,
  finishJob,
  getJob,
  type JobProgress,
  type JobStep,
  listJobs,
  returnJob,
} from '../server/queue';
import type { Runtime } from '../server/runtime';
import { runJobs } from './jobs';

const test = testWith({ ASSAY_LEASE_MS: '30000' });
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from jobs`;
  project = await createTestProject(runtime);
});

/** Counts to the `upTo` of its input, one per step, and returns the count. */
const counting =
  (seen: string[]): JobStep =>
  async (job) => {
    const at = job.done + 1;
    seen.push(`${job.id} ${at}`);
    const { upTo } = job.input as { upTo: number };
    return {
      cursor: at < upTo ? { at } : null,
      done: at,
      total: upTo,
      errors: [],
      result: { last: at },
    };
  };

/** A worker, and a way to stop it. */
function work(steps: Record<string, JobStep>, owner = 'w') {
  const stop = new AbortController();
  const running = runJobs(runtime.ctx, {
    owner,
    signal: stop.signal,
    steps: new Map(Object.entries(steps)),
  });
  return {
    stop: async () => {
      stop.abort();
      await running;
    },
  };
}

const ended = async (ctx: ProjectCtx, id: string) => {
  await expect
    .poll(async () => (await getJob(ctx, id)).state, { timeout: 10_000 })
    .toMatch(/done|failed|cancelled/);
  return getJob(ctx, id);
};

test('R-17 a job runs step by step to its end, woken by its arrival', async () => {
  const seen: string[] = [];
  const worker = work({ count: counting(seen) });
  const { id } = await createJob(project, { kind: 'count', input: { upTo: 3 } });
  expect(await ended(project, id)).toMatchObject({
    state: 'done',
    done: 3,
    total: 3,
    result: { last: 3 },
    errors: [],
    reason: null,
  });
  expect(seen).toEqual([1, 2, 3].map((n) => `${id} ${n}`));
  await worker.stop();
});

test('X-10 the same id is the same job', async () => {
  const first = await createJob(project, { id: 'job_same', kind: 'count', input: { upTo: 3 } });
  expect(await createJob(project, { id: 'job_same', kind: 'count', input: { upTo: 9 } })).toEqual(
    first,
  );
  expect(await listJobs(project)).toHaveLength(1);
});

test('R-17 a job whose worker died continues from its last stored step, and late results of the dead worker are refused', async () => {
  const { id } = await createJob(project, {
    kind: 'count',
    input: { upTo: 4 },
    file: Buffer.from('file'),
  });
  const dead = await claimJob(runtime.ctx, { owner: 'dead', kinds: ['count'] });
  if (dead === null) throw new Error('nothing claimed');
  const note = (done: number): JobProgress => ({
    cursor: { at: done },
    done,
    total: 4,
    errors: [{ line: done, message: 'x' }],
    result: null,
  });
  expect(await saveJobProgress(runtime.ctx, { owner: 'dead', job: dead }, note(2))).toBe(true);
  await runtime.ctx.sql`update jobs set due_at = now() where id = ${id}`;
  const seen: string[] = [];
  const worker = work({ count: counting(seen) }, 'other');
  expect(await ended(project, id)).toMatchObject({
    state: 'done',
    done: 4,
    errorCount: 1,
    errors: [{ line: 2, message: 'x' }],
  });
  expect(seen).toEqual([3, 4].map((n) => `${id} ${n}`));
  expect(await saveJobProgress(runtime.ctx, { owner: 'dead', job: dead }, note(3))).toBe(false);
  expect(await getJob(project, id)).toMatchObject({ state: 'done', done: 4 });
  expect(await runtime.ctx.sql`select 1 from job_files where job_id = ${id}`).toHaveLength(0);
  await worker.stop();
});

test('R-13 a job that kills its worker five times is abandoned', async () => {
  const { id } = await createJob(project, { kind: 'count', input: { upTo: 4 } });
  for (let n = 0; n < 5; n++) {
    expect((await claimJob(runtime.ctx, { owner: `w${n}`, kinds: ['count'] }))?.id).toBe(id);
    await runtime.ctx.sql`update jobs set due_at = now() where id = ${id}`;
  }
  expect(await claimJob(runtime.ctx, { owner: 'w', kinds: ['count'] })).toBeNull();
  expect(await getJob(project, id)).toMatchObject({
    state: 'failed',
    reason: 'The worker crashed 5 times without progress.',
  });
});

test('R-13 a failing step is tried five times, a refused one once', async () => {
  let tries = 0;
  const worker = work({
    breaks: () => {
      tries++;
      throw new Error('no good\u0000');
    },
    refuses: () => Promise.reject(refused('the rule is gone')),
  });
  const broken = await createJob(project, { kind: 'breaks', input: {} });
  for (let n = 1; n <= 5; n++) {
    await expect.poll(() => tries).toBe(n);
    await expect
      .poll(
        async () =>
          (await runtime.ctx.sql`select owner from jobs where id = ${broken.id}`)[0]
            ?.owner as unknown,
      )
      .toBeNull();
    await runtime.ctx.sql`update jobs set due_at = now() where id = ${broken.id}`;
    await runtime.ctx.sql`select pg_notify('assay_jobs', '')`;
  }
  expect(await ended(project, broken.id)).toMatchObject({ state: 'failed', reason: 'no good' });
  expect(tries).toBe(5);
  const refusing = await createJob(project, { kind: 'refuses', input: {} });
  expect(await ended(project, refusing.id)).toMatchObject({
    state: 'failed',
    reason: 'the rule is gone',
  });
  await worker.stop();
});

test('R-14 a cancelled job stops at its step, and records who cancelled it', async () => {
  let release = () => {};
  const begun = new Promise<void>((begin) => {
    const held = new Promise<void>((resolve) => (release = resolve));
    const worker = work({
      holds: async (job) => {
        begin();
        await held;
        return { cursor: { at: 1 }, done: job.done + 1, total: null, errors: [], result: null };
      },
    });
    void held.then(worker.stop);
  });
  const { id } = await createJob(project, { kind: 'holds', input: {}, file: Buffer.from('x') });
  await begun;
  expect(await cancelJob(project, id)).toMatchObject({ state: 'cancelled', done: 0 });
  release();
  expect(await cancelJob(project, id)).toMatchObject({ state: 'cancelled', done: 0 });
  const audit = await runtime.ctx
    .sql`select action from audit_events where project_id = ${project.projectId} and target = ${id}`;
  expect(audit.map((row) => row.action as unknown)).toEqual(['jobs.cancel']);
  expect(await runtime.ctx.sql`select 1 from job_files where job_id = ${id}`).toHaveLength(0);
});

test('R-4 one job of a project at a time, oldest first, and projects take turns', async () => {
  const other = await createTestProject(runtime);
  const a1 = await createJob(project, { kind: 'count', input: { upTo: 9 } });
  const a2 = await createJob(project, { kind: 'count', input: { upTo: 9 } });
  const b1 = await createJob(other, { kind: 'count', input: { upTo: 9 } });
  const claim = (owner: string) => claimJob(runtime.ctx, { owner, kinds: ['count'] });
  const [first, second, third] = [await claim('1'), await claim('2'), await claim('3')];
  expect([first?.id, second?.id, third?.id]).toEqual([a1.id, b1.id, undefined]);
  if (first === null || second === null) throw new Error('nothing claimed');
  await returnJob(runtime.ctx, { owner: '2', job: second });
  await finishJob(runtime.ctx, { owner: '1', job: first });
  expect((await claim('3'))?.id).toBe(b1.id);
  expect((await claim('4'))?.id).toBe(a2.id);
});

test('R-91 a thousand errors are kept, all are counted', async () => {
  const errors = Array.from({ length: 700 }, (_, n) => ({ line: n, message: `bad\u0000 ${n}` }));
  const worker = work({
    errs: async (job) => ({
      cursor: job.done < 2 ? {} : null,
      done: job.done + 1,
      total: 3,
      errors,
      result: null,
    }),
  });
  const { id } = await createJob(project, { kind: 'errs', input: {} });
  const job = await ended(project, id);
  expect([job.errors.length, job.errorCount]).toEqual([1000, 2100]);
  await worker.stop();
});
