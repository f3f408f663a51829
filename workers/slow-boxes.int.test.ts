import { expect } from 'vitest';
import { putVerifier, readDefinition } from '../server/catalog';
import { createTestProject } from '../testing/database';
import { test } from '../testing/fixture';
import { until } from '../testing/until';
import { dropWork } from '../server/queue';
import type { Runtime } from '../server/runtime';
import { createRecentRuns } from '../server/verdicts';
import { sandboxUseIn } from './sandbox-slots';
import { runSlowLane } from './slow-lane';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

const send = (project: string, verifier: string, count: number) => runtime.ctx.sql`
  insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane)
  select ${project}, ${verifier} || n, 'turn', ${verifier} || n, 1, ${verifier}, 'slow' from generate_series(1, ${count}::int) as n`;

test('S-116 R-11 while 64 gates of one project sleep, a gate of another project begins, and so does work that needs no sandbox; no gate is lost, none above the cap', async () => {
  const [first, second] = [await createTestProject(runtime), await createTestProject(runtime)];
  const stopping = new AbortController();
  const begun: string[] = [];
  const gates = { running: 0, most: 0, ended: new Set<string>() };
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const running = runSlowLane(runtime.ctx, {
    owner: 'one worker',
    signal: stopping.signal,
    concurrency: 32,
    boxes: {
      atOnce: 8,
      useOf: (work) => Promise.resolve(work.verifier === 'gate' ? 'own' : null),
    },
    async verify(work) {
      begun.push(`${work.projectId} ${work.verifier}`);
      const isGate = work.verifier === 'gate';
      if (isGate) gates.most = Math.max(gates.most, ++gates.running);
      await asleep;
      if (isGate) {
        gates.running--;
        gates.ended.add(`${work.projectId} ${work.id}`);
      }
      await dropWork(runtime.ctx, 'one worker', work);
    },
  });
  const count = (project: { projectId: string }, verifier: string): number =>
    begun.filter((name) => name === `${project.projectId} ${verifier}`).length;
  await send(first.projectId, 'gate', 64);
  await until(
    'the first project has its part',
    () => (count(first, 'gate') === 4 ? true : null),
    20_000,
  );
  await until('the rest of it was turned back', async () => {
    const [row] = await runtime.ctx.sql<
      { n: number }[]
    >`select count(*)::int as n from work where reason like 'The project already runs%'`;
    return (row?.n ?? 0) > 0 ? true : null;
  });
  // None of the first project's gates ends before these have started.
  await send(second.projectId, 'gate', 1);
  await send(first.projectId, 'judge', 3);
  await until(
    'the second project begins',
    () => (count(second, 'gate') === 1 ? true : null),
    20_000,
  );
  await until(
    'work without boxes begins',
    () => (count(first, 'judge') === 3 ? true : null),
    20_000,
  );
  expect(count(first, 'gate')).toBe(4);
  const [row] = await runtime.ctx.sql<{ attempts: number; deaths: number }[]>`
    select max(attempts)::int as attempts, max(deaths)::int as deaths from work`;
  expect({ ...row }).toEqual({ attempts: 1, deaths: 0 });
  wake();
  await until(
    'all is done',
    async () => ((await runtime.ctx.sql`select 1 from work`).length === 0 ? true : null),
    60_000,
  );
  expect([gates.ended.size, begun.filter((name) => name.endsWith(' gate')).length]).toEqual([
    65, 65,
  ]);
  expect(gates.most).toBeLessThanOrEqual(8);
  stopping.abort();
  await running;
});

test('S-116 functions of a project take at most a quarter of the slots, and leave the sandboxes to gates', async () => {
  const [first, second] = [await createTestProject(runtime), await createTestProject(runtime)];
  const definition = { kind: 'function', function: { language: 'python', source: 'x = 1' } };
  await putVerifier(first, runtime.prompts, readDefinition('length', definition));
  const stopping = new AbortController();
  const begun: string[] = [];
  let wake: () => void = () => undefined;
  const asleep = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const running = runSlowLane(runtime.ctx, {
    owner: 'one worker',
    signal: stopping.signal,
    concurrency: 32,
    boxes: {
      atOnce: 2,
      useOf: sandboxUseIn(createRecentRuns(runtime.ctx, runtime.subjects)),
    },
    async verify(work) {
      begun.push(work.verifier);
      await asleep;
      await dropWork(runtime.ctx, 'one worker', work);
    },
  });
  const count = (verifier: string): number => begun.filter((name) => name === verifier).length;
  await send(first.projectId, 'length', 64);
  await until('the first project has its part', () => (count('length') === 8 ? true : null));
  await until('the rest of it was turned back', async () => {
    const [row] = await runtime.ctx.sql<
      { n: number }[]
    >`select count(*)::int as n from work where reason like 'The project already runs%'`;
    return (row?.n ?? 0) >= 48 ? true : null;
  });
  // No function ends before these have started; a gate needs one of the two sandboxes.
  await send(second.projectId, 'code', 1);
  await send(first.projectId, 'task', 3);
  await until('a gate begins', () => (count('code') === 1 ? true : null), 20_000);
  await until('judges begin', () => (count('task') === 3 ? true : null), 20_000);
  expect(count('length')).toBe(8);
  wake();
  await until(
    'all is done',
    async () => ((await runtime.ctx.sql`select 1 from work`).length === 0 ? true : null),
    60_000,
  );
  stopping.abort();
  await running;
});
