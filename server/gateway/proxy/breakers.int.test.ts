import { pino } from 'pino';
import { afterEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { until } from '../../../testing/until';
import { timeFactor } from '../../../testing/time-factor';
import { listAudit, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { listBreakers, resetBreaker } from '..';
import { type Breakers, createBreakers } from './breakers';

let runtime: Runtime;
let project: ProjectCtx;
const open: Breakers[] = [];
const begun = { state: 'closed', probe: null } as const;
const settings = { max_consecutive_failures: 2, cooldown_seconds: 300 };

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((breakers) => breakers.close()));
});

function start(replica: string, from: Pick<Runtime, 'ctx'> = runtime): Breakers {
  const breakers = createBreakers(from.ctx, { replica });
  open.push(breakers);
  return breakers;
}

/** A clock that a test advances, and a log that it reads. */
function withClock() {
  const time = { now: 0 };
  const lines: { msg: string; model?: string; problem?: string }[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as { msg: string }) },
  );
  const ctx = { ...runtime.ctx, log, clock: { ...runtime.ctx.clock, monotonicMs: () => time.now } };
  return { time, lines, runtime: { ctx } };
}

test('QV-33 QV-34 QV-35 opens after failures in a row, for one project and one model; says so in the log; one call probes', () => {
  const { time, lines, runtime: timed } = withClock();
  const breakers = start('clock', timed);
  const [id, spec] = [project.projectId, 'p:one'];
  expect(breakers.permit(id, spec, settings).state).toBe('closed');
  breakers.note(id, spec, settings, { permit: begun, ok: false, problem: 'unreadable' });
  expect(breakers.isOpen(id, spec)).toBe(false);
  breakers.note(id, spec, settings, { permit: begun, ok: false, problem: 'timeout' });
  expect([
    breakers.isOpen(id, spec),
    breakers.isOpen(id, 'p:two'),
    breakers.isOpen('prj_other', spec),
  ]).toEqual([true, false, false]);
  expect(lines).toMatchObject([
    { msg: 'the circuit of the verifier opened', model: spec, problem: 'timeout' },
  ]);
  expect(breakers.permit(id, spec, settings).state).toBe('open');
  time.now = 300_000;
  expect(breakers.isOpen(id, spec)).toBe(false);
  const left = breakers.permit(id, spec, settings);
  expect(left.state).toBe('probe');
  expect([breakers.permit(id, spec, settings).state, breakers.isOpen(id, spec)]).toEqual([
    'open',
    true,
  ]);
  breakers.abandon(id, spec, left);
  const failed = breakers.permit(id, spec, settings);
  expect(failed.state).toBe('probe');
  breakers.note(id, spec, settings, { permit: failed, ok: false, problem: 'again' });
  expect(breakers.permit(id, spec, settings).state).toBe('open');
  time.now = 600_000;
  const passed = breakers.permit(id, spec, settings);
  expect(passed.state).toBe('probe');
  breakers.note(id, spec, settings, { permit: passed, ok: true, problem: null });
  expect(breakers.permit(id, spec, settings).state).toBe('closed');
  breakers.note(id, spec, settings, { permit: begun, ok: false, problem: 'once' });
  expect(breakers.isOpen(id, spec)).toBe(false);
});

test('QV-34 a call that is not or no longer the probe does not free the probe of another', () => {
  const { time, runtime: timed } = withClock();
  const breakers = start('probe', timed);
  const [id, spec] = [project.projectId, 'p:probe'];
  const before = breakers.permit(id, spec, settings);
  for (const problem of ['a', 'b'])
    breakers.note(id, spec, settings, { permit: begun, ok: false, problem });
  time.now = 300_000;
  const given = breakers.permit(id, spec, settings);
  breakers.abandon(id, spec, before);
  expect([given.state, breakers.permit(id, spec, settings).state]).toEqual(['probe', 'open']);
  breakers.note(id, spec, settings, { permit: before, ok: false, problem: 'late' });
  expect(breakers.permit(id, spec, settings).state).toBe('open');
  // The first probe hangs and expires; its late outcome frees no other probe.
  time.now = 420_000;
  const second = breakers.permit(id, spec, settings);
  expect(second.state).toBe('probe');
  breakers.abandon(id, spec, given);
  expect(breakers.permit(id, spec, settings).state).toBe('open');
  breakers.abandon(id, spec, second);
  expect(breakers.permit(id, spec, settings).state).toBe('probe');
});

test('breaker states are stored in the background; a reset in the console reaches every replica within a second and is in the audit', async () => {
  const [one, two] = [start('r1'), start('r2')];
  const [id, spec] = [project.projectId, 'p:reset?temperature=0'];
  for (const breakers of [one, two])
    for (const problem of ['first', 'bad \0 bytes'])
      breakers.note(id, spec, settings, { permit: begun, ok: false, problem });
  const stored = async () => (await listBreakers(project)).filter(({ model }) => model === spec);
  await until('both are written', async () => ((await stored()).length === 2 ? true : null));
  expect(await stored()).toMatchObject([
    { replica: 'r1', state: 'open', failures: 2, problem: 'bad   bytes', resetAt: null },
    { replica: 'r2', state: 'open' },
  ]);
  const began = performance.now();
  await resetBreaker(project, spec);
  await until(
    'both are closed',
    () => (one.isOpen(id, spec) || two.isOpen(id, spec) ? null : true),
    5_000,
  );
  expect(performance.now() - began).toBeLessThan(timeFactor * 1_000);
  await until('it is written', async () =>
    (await stored()).every(({ state }) => state === 'closed') ? true : null,
  );
  const { items } = await listAudit(project, {});
  expect(items.filter(({ target }) => target === spec)).toMatchObject([
    { action: 'gateway.reset_breaker', actor: 'test' },
  ]);
  // The same reset is not applied again.
  for (const problem of ['first', 'second'])
    one.note(id, spec, settings, { permit: begun, ok: false, problem });
  await one.sync();
  await one.sync();
  expect([one.isOpen(id, spec), two.isOpen(id, spec)]).toEqual([true, false]);
});

test('an open breaker survives a restart; one reset meanwhile does not', async () => {
  const before = start('kept');
  const [id, open1, open2] = [project.projectId, 'p:kept', 'p:reset-meanwhile'];
  for (const spec of [open1, open2])
    for (const problem of ['a', 'b'])
      before.note(id, spec, settings, { permit: begun, ok: false, problem });
  await before.close();
  await resetBreaker(project, open2);
  const after = start('kept');
  await after.sync();
  expect([after.isOpen(id, open1), after.isOpen(id, open2)]).toEqual([true, false]);
});

test('a model without a breaker, or another project’s, is not found', async () => {
  const breakers = start('theirs');
  const theirs = await createTestProject(runtime);
  for (const problem of ['a', 'b'])
    breakers.note(theirs.projectId, 'p:theirs', settings, { permit: begun, ok: false, problem });
  await breakers.sync();
  for (const model of ['p:theirs', 'p:unknown'])
    await expect(resetBreaker(project, model)).rejects.toMatchObject({ code: 'not_found' });
  expect((await listBreakers(project)).some(({ model }) => model === 'p:theirs')).toBe(false);
  expect(breakers.isOpen(theirs.projectId, 'p:theirs')).toBe(true);
});
