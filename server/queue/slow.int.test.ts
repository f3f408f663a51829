import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { claimWork } from './claim';
import { failWork, returnWork } from './release';
import { claimSlowWork, renewLeases } from './slow-claim';
import { republishAll, freeLostSlowWork, markPublished, unpublishWork } from './publish-slow';
import { listenForSlowWork, parkWork, moveToSlowLane } from './slow-pass';
import { getSlowLaneState, isSlowLaneUnavailable } from './slow-state';

let runtime: Runtime;
let loud: ProjectCtx;
let quiet: ProjectCtx;

test.beforeAll(async ({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  loud = await createTestProject(runtime);
  quiet = await createTestProject(runtime);
});

beforeEach(async () => {
  await runtime.ctx.sql`truncate work, work_attempts`;
});

/** Rows `<prefix>1` to `<prefix>count`, scheduled in this order. */
async function planTurns(
  project: ProjectCtx,
  prefix: string,
  count: number,
  more: { lane?: 'fast' | 'slow'; priority?: number } = {},
) {
  await runtime.ctx.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane, priority, due_at)
    select ${project.projectId}, ${prefix} || n, 'turn', ${prefix} || n, 1, 'integrity', ${more.lane ?? 'slow'}, ${more.priority ?? 1},
      now() - interval '1 second' + n * interval '1 microsecond'
    from generate_series(1, ${count}::int) as n`;
}

const hint = (more: { limit?: number; perProject?: number; staleMs?: number } = {}) =>
  markPublished(runtime.ctx, { limit: 100, perProject: 10, staleMs: 5_000, ...more });
const claim = (id: string, owner = 'w1', project = loud) =>
  claimSlowWork(runtime.ctx, { owner, projectId: project.projectId, id });

async function rowOf(id: string) {
  const [row] = await runtime.ctx.sql<Record<string, unknown>[]>`
    select state, lane, owner, fence::int as fence, attempts, deaths, reason, priority, hinted_at is not null as hinted,
      due_at <= now() as ready, round(extract(epoch from due_at - now()))::int as in_s from work where id = ${id}`;
  return row;
}

const lapse = (id: string) =>
  runtime.ctx.sql`update work set due_at = now() - interval '1 second' where id = ${id}`;

test('work that was inserted as urgent stays urgent in the slow lane', async () => {
  await planTurns(loud, 'u', 1, { lane: 'fast', priority: 0 });
  const claimed = await claimWork(runtime.ctx, { owner: 'w1', limit: 10 });
  expect(await moveToSlowLane(runtime.ctx, 'w1', claimed)).toBe(1);
  expect(await rowOf('u1')).toMatchObject({ lane: 'slow', priority: 0 });
});

test('R-17 moved to the slow lane, only by its owner: unowned, ready at once, the attempt not counted, the publishers woken', async () => {
  await planTurns(loud, 'a', 3, { lane: 'fast' });
  let woken: () => void = () => undefined;
  const wake = new Promise<void>((resolve) => {
    woken = resolve;
  });
  const listening = await listenForSlowWork(runtime.ctx, woken);
  const claimed = await claimWork(runtime.ctx, { owner: 'w1', limit: 10 });
  expect(claimed).toHaveLength(3);
  expect(await moveToSlowLane(runtime.ctx, 'w2', claimed)).toBe(0);
  expect(await moveToSlowLane(runtime.ctx, 'w1', claimed.slice(0, 1), { urgent: true })).toBe(1);
  expect(await moveToSlowLane(runtime.ctx, 'w1', claimed)).toBe(2);
  await wake;
  await listening.unlisten();
  expect(await rowOf('a1')).toMatchObject({
    lane: 'slow',
    owner: null,
    fence: 1,
    attempts: 0,
    priority: 0,
    ready: true,
    hinted: false,
  });
  expect(await rowOf('a3')).toMatchObject({
    lane: 'slow',
    owner: null,
    fence: 1,
    attempts: 0,
    priority: 1,
    ready: true,
    hinted: false,
  });
  expect(await claimWork(runtime.ctx, { owner: 'w1', limit: 10 })).toEqual([]);
});

test('R-12 a row is claimed once, by its id, when it is ready; its lease is kept while it is ours', async () => {
  await planTurns(loud, 'b', 1);
  await planTurns(loud, 'fast', 1, { lane: 'fast' });
  const [first, second] = await Promise.all([claim('b1', 'w1'), claim('b1', 'w2')]);
  const work = first ?? second;
  expect([first, second].filter((each) => each !== null)).toHaveLength(1);
  expect(work).toMatchObject({ id: 'b1', fence: 1, attempts: 1 });
  for (const id of ['fast1', 'b1', 'nothing']) expect(await claim(id)).toBeNull();
  const owner = first === null ? 'w2' : 'w1';
  if (work === null) throw new Error('not claimed');
  expect([...(await renewLeases(runtime.ctx, owner, [work]))]).toEqual(['b1']);
  expect([...(await renewLeases(runtime.ctx, 'other', [work]))]).toEqual([]);
  await returnWork(runtime.ctx, owner, [work]);
  expect([...(await renewLeases(runtime.ctx, owner, [work]))]).toEqual([]);
  expect(await claim('b1', 'w3')).toMatchObject({ fence: 2, attempts: 1 });
});

test('R-13 a job published before its row was lost claims nothing when delivered again; a job published after the loss does', async () => {
  await planTurns(loud, 'old', 1);
  const [before] = await hint();
  if (before === undefined) throw new Error('not hinted');
  expect(await claimSlowWork(runtime.ctx, { ...before, owner: 'w1' })).toMatchObject({
    id: 'old1',
  });
  await lapse('old1');
  expect(await freeLostSlowWork(runtime.ctx)).toBe(1);
  expect(await claimSlowWork(runtime.ctx, { ...before, owner: 'w2' })).toBeNull();
  const [after] = await hint();
  if (after === undefined) throw new Error('not hinted again');
  expect(after).toMatchObject({ id: 'old1', priority: 2 });
  expect(await claimSlowWork(runtime.ctx, { ...after, owner: 'w2' })).toMatchObject({ id: 'old1' });
});

test('R-58 parked work is ready later, with its reason and without blame; only its owner can park it', async () => {
  await planTurns(loud, 'c', 1);
  const work = await claim('c1');
  if (work === null) throw new Error('not claimed');
  await parkWork(runtime.ctx, 'other', work, { forMs: 60_000, reason: 'not mine' });
  expect(await rowOf('c1')).toMatchObject({ owner: 'w1', attempts: 1, reason: null });
  await parkWork(runtime.ctx, 'w1', work, {
    forMs: 60_000,
    reason: 'the judge\u0000 is down \ud800',
  });
  expect(await rowOf('c1')).toMatchObject({
    owner: null,
    attempts: 0,
    deaths: 0,
    ready: false,
    in_s: 60,
    reason: 'the judge is down \ufffd',
    state: 'waiting',
  });
  expect(await hint()).toEqual([]);
  expect(await claim('c1')).toBeNull();
  expect(await runtime.ctx.sql`select 1 from work_attempts`).toHaveLength(0);
});

test('R-4 projects are published in turn, and one with 10,000 rows has at most its share in the queue', async () => {
  await planTurns(loud, 'l', 10_000);
  await planTurns(quiet, 'q', 5);
  const first = await hint({ limit: 8 });
  expect(first.map((each) => each.projectId === quiet.projectId)).toHaveLength(8);
  expect(first.filter((each) => each.projectId === quiet.projectId).map((each) => each.id)).toEqual(
    ['q1', 'q2', 'q3', 'q4'],
  );
  expect(
    first
      .slice(0, 2)
      .map((each) => each.projectId)
      .toSorted(),
  ).toEqual([loud.projectId, quiet.projectId].toSorted());
  const second = await hint();
  expect(second.filter((each) => each.projectId === loud.projectId)).toHaveLength(6);
  expect(second.map((each) => each.id)).toContain('q5');
  expect(await hint()).toEqual([]);
  await claim('l1');
  await claim('l2');
  expect((await hint()).map((each) => each.id)).toEqual(['l11', 'l12']);
});

test('R-4 work that someone waits for overtakes, and is not blocked by a full share', async () => {
  await planTurns(loud, 'l', 50);
  expect(await hint()).toHaveLength(10);
  await planTurns(loud, 'u', 1, { priority: 0 });
  expect(await hint()).toMatchObject([{ id: 'u1', priority: 0 }]);
  await planTurns(quiet, 'n', 1);
  await planTurns(quiet, 'v', 1, { priority: 0 });
  expect((await hint()).map((each) => each.id)).toEqual(['v1', 'n1']);
});

test('R-22 an unclaimed job is published again; rows can be unpublished one by one or all together', async () => {
  await planTurns(loud, 'd', 2);
  const hints = await hint();
  expect(hints).toMatchObject([
    { id: 'd1', again: false },
    { id: 'd2', again: false },
  ]);
  expect(await hint()).toEqual([]);
  await unpublishWork(runtime.ctx, hints.slice(1));
  expect(await hint()).toMatchObject([{ id: 'd2', again: false }]);
  expect(await hint({ staleMs: 0 })).toMatchObject([
    { id: 'd1', again: true },
    { id: 'd2', again: true },
  ]);
  await republishAll(runtime.ctx);
  expect(await hint()).toMatchObject([
    { id: 'd1', again: false },
    { id: 'd2', again: false },
  ]);
});

test('R-31 after each claim the job has another fence: a job still in the queue cannot replace the next', async () => {
  await planTurns(loud, 'e', 1);
  expect(await hint()).toMatchObject([{ id: 'e1', fence: 0 }]);
  const work = await claim('e1');
  if (work === null) throw new Error('not claimed');
  await failWork(runtime.ctx, 'w1', work, 'the judge answered nonsense');
  expect(await rowOf('e1')).toMatchObject({
    owner: null,
    attempts: 1,
    hinted: false,
    ready: false,
  });
  expect(await hint()).toEqual([]);
  await lapse('e1');
  expect(await hint()).toMatchObject([{ id: 'e1', fence: 1, again: false }]);
});

test('R-13 a row whose worker was lost leaves an attempt row, runs with few others from then on, and is quarantined after three deaths', async () => {
  await planTurns(loud, 'f', 3);
  for (const id of ['f1', 'f2', 'f3']) await claim(id, 'dead');
  expect(await freeLostSlowWork(runtime.ctx)).toBe(0);
  for (const id of ['f1', 'f2']) await lapse(id);
  expect(await freeLostSlowWork(runtime.ctx)).toBe(2);
  expect(await rowOf('f1')).toMatchObject({
    owner: null,
    deaths: 1,
    priority: 2,
    state: 'waiting',
    ready: true,
  });
  expect(await rowOf('f3')).toMatchObject({ owner: 'dead', deaths: 0 });
  expect((await hint()).map((each) => each.id).toSorted()).toEqual(['f1', 'f2']);
  for (const death of [2, 3]) {
    await claim('f1', 'dead');
    await lapse('f1');
    await freeLostSlowWork(runtime.ctx);
    expect(await rowOf('f1')).toMatchObject({ deaths: death, priority: 3 });
  }
  expect(await rowOf('f1')).toMatchObject({
    state: 'quarantined',
    reason: 'its worker died 3 times while verifying it',
  });
  const attempts = await runtime.ctx
    .sql`select attempt, "end", worker from work_attempts where work_id = 'f1' order by attempt`;
  expect(attempts.map((row) => ({ ...row }))).toEqual(
    [1, 2, 3].map((attempt) => ({ attempt, end: 'lost', worker: 'dead' })),
  );
  expect(await hint()).toEqual([]);
});

test('R-13 a project has at most one queued row whose worker was lost twice, and four whose worker was lost once', async () => {
  await planTurns(loud, 'once', 9, { priority: 2 });
  await planTurns(loud, 'twice', 9, { priority: 3 });
  await planTurns(loud, 'fresh', 1);
  expect((await hint()).map((each) => each.id)).toEqual([
    'fresh1',
    'once1',
    'once2',
    'once3',
    'once4',
    'twice1',
  ]);
});

test('R-20 the state of the lane shows ready, claimed and postponed rows, and whether any worker takes them', async () => {
  const state = (project: ProjectCtx | null = loud) =>
    getSlowLaneState(runtime.ctx, project?.projectId ?? null);
  expect(await state()).toEqual({
    backend: 'postgres',
    state: 'ok',
    waiting: 0,
    inHand: 0,
    later: 0,
  });
  await planTurns(loud, 'g', 3);
  const work = await claim('g1');
  if (work === null) throw new Error('not claimed');
  await parkWork(runtime.ctx, 'w1', work, { forMs: 60_000, reason: 'the judge is down' });
  expect(await state()).toMatchObject({ state: 'ok', waiting: 2, inHand: 0, later: 1 });
  await runtime.ctx
    .sql`update work set due_at = due_at - interval '11 seconds' where id in ('g2', 'g3')`;
  expect(await state()).toMatchObject({ state: 'away' });
  expect(await isSlowLaneUnavailable(runtime.ctx)).toBe(true);
  expect(await state(quiet)).toMatchObject({ state: 'ok', waiting: 0 });
  await hint({ limit: 1 });
  expect(await isSlowLaneUnavailable(runtime.ctx)).toBe(false);
  await claim('g2');
  await claim('g3');
  expect(await state()).toMatchObject({ state: 'ok', waiting: 0, inHand: 2, later: 1 });
  expect(await isSlowLaneUnavailable(runtime.ctx)).toBe(false);
});
