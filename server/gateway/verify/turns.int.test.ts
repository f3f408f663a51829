import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from 'vitest';
import { createTestRuntime } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { until } from '../../../testing/until';
import { timeFactor } from '../../../testing/time-factor';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { QualityVerifierSettings } from '../input';
import { sessionsMax } from './sessions';
import { createTurns, type Turns } from './turns';

let runtime: Runtime;
let offline: Runtime;
let project: ProjectCtx;
const open: Turns[] = [];
const folders: string[] = [];
let starts = 0;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  offline = createTestRuntime('postgres://none:none@127.0.0.1:9/none');
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((turns) => turns.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

afterAll(async () => {
  await offline.close();
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'assay-turns-'));
  folders.push(made);
  return made;
}

/**
 * Processes start one after the other, each some time later than the previous one, on its own
 * clock.
 */
function start(replica: string, dir: string | null = null, from: Runtime = runtime): Turns {
  const laterMs = 1000 * ++starts;
  const { clock } = from.ctx;
  const later = {
    now: () => new Date(clock.now().getTime() + laterMs),
    monotonicMs: () => clock.monotonicMs(),
  };
  const turns = createTurns({ ...from.ctx, clock: later }, { dir, replica });
  open.push(turns);
  return turns;
}

let serial = 0;
const session = (): string => `s-${++serial}`;

function count(
  turns: Turns,
  sessionId: string,
  request: string | null = null,
  settings: object = {},
) {
  return turns.advance({
    projectId: project.projectId,
    sessionId,
    clientRequestId: request,
    settings: QualityVerifierSettings.parse({ model: 'p:judge', ...settings }),
    toolFollowup: false,
  });
}

/** The session's counter, read by a follow-up that counts nothing. */
function counterOf(turns: Turns, sessionId: string): number {
  return turns.advance({
    projectId: project.projectId,
    sessionId,
    clientRequestId: null,
    settings: QualityVerifierSettings.parse({ model: 'p:judge', tool_followup_weight: 0 }),
    toolFollowup: true,
  }).counter;
}

test('QV-3 two replicas see each other’s turns and verifications within a second', async () => {
  const [one, two] = [start('r1'), start('r2')];
  const id = session();
  count(one, id);
  count(two, id);
  const within = async (what: string, turns: Turns, units: number): Promise<void> => {
    const began = performance.now();
    await until(what, () => (counterOf(turns, id) === units ? true : null), 5_000);
    expect(performance.now() - began, what).toBeLessThan(timeFactor * 1_000);
  };
  await within('the turn of the other, at one', one, 2000);
  await within('the turn of the other, at two', two, 2000);
  count(two, id);
  await within('one more', one, 3000);
  one.reset(project.projectId, id);
  expect(counterOf(one, id)).toBe(0);
  await within('the verification', two, 0);
  count(one, id);
  count(two, id);
  await within('turns after the verification', one, 2000);
});

test('X-10 a request sent to both replicas counts once, in any order', async () => {
  const [one, two] = [start('r1'), start('r2')];
  const id = session();
  expect(count(one, id, 'a').units).toBe(1000);
  expect(count(two, id, 'a').units).toBe(1000);
  expect(count(two, id, 'b').units).toBe(1000);
  for (const turns of [one, two, one, two]) await turns.sync();
  expect([counterOf(one, id), counterOf(two, id)]).toEqual([2000, 2000]);
  expect(count(one, id, 'b').units).toBe(0);
  expect(count(one, id, 'a').units).toBe(0);
  const rows = await runtime.ctx.sql<{ units: number }[]>`
    select units::int from gateway_counters where project_id = ${project.projectId} and session_id = ${id} order by replica`;
  expect(rows.map(({ units }) => units)).toEqual([1000, 1000]);
});

test('counters survive a restart: from the journal with PostgreSQL down, from PostgreSQL without a journal', async () => {
  const dir = folder();
  const id = session();
  const before = start('r1', dir);
  count(before, id, 'a');
  count(before, id, 'b');
  await before.close();
  const cold = start('r1', dir, offline);
  expect(counterOf(cold, id)).toBe(2000);
  expect(count(cold, id, 'b').units).toBe(0);
  expect(count(cold, id, 'c')).toMatchObject({ units: 1000, counter: 3000 });
  await cold.close();

  const healed = start('r1', dir);
  expect(counterOf(healed, id)).toBe(3000);
  await healed.sync();
  expect(counterOf(healed, id)).toBe(3000);
  const other = start('r1');
  expect(count(other, id, 'a').counter).toBe(1000);
  await other.sync();
  // The previous process counted "a", so it is not added again.
  expect(counterOf(other, id)).toBe(3000);
});

test('turns counted while PostgreSQL is down are added to a stored session once it is back, also after a restart', async () => {
  const id = session();
  const first = start('r1');
  count(first, id);
  count(first, id);
  await first.close();
  const dir = folder();
  const cold = start('r1', dir, offline);
  count(cold, id);
  await cold.close();
  const healed = start('r1', dir);
  expect(counterOf(healed, id)).toBe(1000);
  await healed.sync();
  expect(counterOf(healed, id)).toBe(3000);
});

test('QV-8 invalid numbers in a journal count as missing, and its last line may be truncated', async () => {
  const dir = folder();
  const [good, broken, cut] = [session(), session(), session()];
  const before = start('r1', dir, offline);
  for (const id of [good, broken, cut]) count(before, id);
  await before.close();
  const path = join(dir, 'gateway', 'r1.counters.jsonl');
  appendFileSync(
    path,
    `${JSON.stringify({ p: project.projectId, s: broken, e: 0, v: 1, u: 'many', q: [] })}\n`,
  );
  appendFileSync(path, `{"p":"${project.projectId}","s":"${cut}","e":0,"v":9e15,"u":70`);
  const cold = start('r1', dir, offline);
  expect(counterOf(cold, good)).toBe(1000);
  expect(counterOf(cold, cut)).toBe(1000);
  const settings = QualityVerifierSettings.parse({ model: 'p:judge' });
  const call = {
    projectId: project.projectId,
    sessionId: broken,
    clientRequestId: null,
    settings,
    toolFollowup: false,
    userMessages: 4,
  };
  expect(cold.advance(call).counter).toBe(4000);
});

test('QV-3 an evicted session is deleted from storage too, and starts at 0', async () => {
  const dir = folder();
  const turns = start('r9', dir);
  const id = session();
  count(turns, id);
  await turns.sync();
  for (let n = 0; n < sessionsMax; n++) count(turns, `many-${n}`);
  await turns.sync();
  await turns.sync();
  const rows = await runtime.ctx.sql`select 1 from gateway_counters where session_id = ${id}`;
  expect(rows).toHaveLength(0);
  expect(count(turns, id).counter).toBe(1000);
  await until('all are written', async () => {
    await turns.sync();
    const [row] = await runtime.ctx.sql<
      { n: number }[]
    >`select count(*)::int as n from gateway_counters where replica = 'r9'`;
    return row?.n === sessionsMax ? true : null;
  });
  expect(count(turns, id).counter).toBe(2000);
  expect(readFileSync(join(dir, 'gateway', 'r9.counters.jsonl'), 'utf8')).not.toContain(
    'undefined',
  );
});

test('a session whose name PostgreSQL cannot store does not affect others', async () => {
  const turns = start('r1');
  const id = session();
  count(turns, 'nul \0 inside');
  count(turns, `long ${'x'.repeat(10_000)}`);
  count(turns, id);
  await turns.sync();
  const rows = await runtime.ctx.sql`select 1 from gateway_counters where session_id = ${id}`;
  expect(rows).toHaveLength(1);
});
