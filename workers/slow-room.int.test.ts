import { expect } from 'vitest';
import { test } from '../testing/fixture';
import { until } from '../testing/until';
import type { ProjectCtx } from '../server/access';
import { dropWork } from '../server/queue';
import type { Runtime } from '../server/runtime';
import { runSlowLane } from './slow-lane';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

/** A lane whose calls end on request of the test. */
function startLane(owner: string, concurrency: number) {
  const stopping = new AbortController();
  const begun: string[] = [];
  let peak = 0;
  let now = 0;
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const running = runSlowLane(runtime.ctx, {
    owner,
    signal: stopping.signal,
    concurrency,
    async verify(work) {
      begun.push(work.id);
      peak = Math.max(peak, ++now);
      await gate;
      await dropWork(runtime.ctx, owner, work);
      now--;
    },
  });
  return {
    begun,
    peak: () => peak,
    open,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

const planTurns = (count: number) => runtime.ctx.sql`
  insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane)
  select ${project.projectId}, 'w' || n, 'turn', 'w' || n, 1, 'integrity', 'slow' from generate_series(1, ${count}::int) as n`;

test('R-4 R-12 a worker whose slots are taken withholds no work from another, never exceeds its concurrency, and blames no row for it', async () => {
  await planTurns(60);
  const full = startLane('full', 24);
  await until('all places are taken', () => (full.begun.length === 24 ? true : null));
  const other = startLane('other', 48);
  await until('the other has all the rest', () => (other.begun.length === 36 ? true : null));
  expect(full.begun).toHaveLength(24);
  const [rows] = await runtime.ctx.sql<{ attempts: number; deaths: number }[]>`
    select max(attempts)::int as attempts, max(deaths)::int as deaths from work`;
  expect({ ...rows }).toEqual({ attempts: 1, deaths: 0 });
  full.open();
  other.open();
  await until('all is done', async () =>
    (await runtime.ctx.sql`select 1 from work`).length === 0 ? true : null,
  );
  await Promise.all([full.stop(), other.stop()]);
  expect(new Set([...full.begun, ...other.begun]).size).toBe(60);
  expect([full.peak(), other.peak()]).toEqual([24, 36]);
  expect(await runtime.ctx.sql`select 1 from work_attempts`).toHaveLength(0);
});
