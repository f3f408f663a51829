import { expect } from 'vitest';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import { getBoxReport, storeBoxReport, boxReportEveryMs } from './worker-boxes';

let runtime: Runtime;
test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

const ready = { state: 'ready', reason: null, fix: null, tier: 'bubblewrap' } as const;
const level = { memory: 'cgroup', users: 'per_box', atOnce: 8 } as const;
const missing = {
  state: 'missing',
  reason: 'There is no bwrap.',
  fix: 'Install bubblewrap.',
  tier: null,
} as const;

test('S-85 the sandbox of any worker counts; a silent worker does not', async () => {
  const at = (minutes: number) => ({
    ...runtime.ctx,
    clock: {
      ...runtime.ctx.clock,
      now: () => new Date(Date.UTC(2026, 0, 1) + minutes * boxReportEveryMs),
    },
  });
  const checkedAt = new Date(Date.UTC(2026, 0, 1));
  expect(await getBoxReport(at(0))).toEqual({
    state: 'unknown',
    reason: null,
    fix: null,
    checkedAt: null,
  });
  await storeBoxReport(at(0), 'worker a', { ...missing, checkedAt });
  expect(await getBoxReport(at(1))).toEqual({
    state: 'missing',
    reason: missing.reason,
    fix: missing.fix,
    checkedAt,
  });
  await storeBoxReport(at(0), 'worker b', { ...ready, checkedAt });
  expect(await getBoxReport(at(1))).toMatchObject({ state: 'ready', reason: null });
  expect(await getBoxReport(at(1))).not.toHaveProperty('level');
  await storeBoxReport(at(0), 'worker b', { ...ready, level, checkedAt });
  expect((await getBoxReport(at(1))).level).toEqual({
    memory: 'cgroup',
    users: 'per_box',
    at_once: 8,
  });
  await storeBoxReport(at(3), 'worker a', { ...missing, checkedAt });
  expect(await getBoxReport(at(4))).toMatchObject({ state: 'missing' });
  await storeBoxReport(at(2_000), 'worker c', { ...ready, checkedAt });
  expect(await runtime.ctx.sql`select worker from worker_boxes`).toEqual([{ worker: 'worker c' }]);
});
