import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject, drainRefreshQueue, drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { bucketOf, partColumn, readSpread, readSpreads } from '../verdicts';
import { measureVerifiers } from './measure';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read', 'write'] }));
});

async function post(path: string, body: unknown): Promise<void> {
  const response = await appOf(runtime).request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
}

const turn = (id: string, model: string) => ({
  id,
  model,
  output: 'It is 73 %.',
  tools: [{ id: 't', name: 'disk', result: { used: 42 } }],
});
const missedAndCaught = async () => {
  const [integrity] = await measureVerifiers(project, { verifier: 'integrity' });
  return { caught: integrity?.counts.caught, missed: integrity?.counts.missed };
};

test('X-1 a label that is older than its verdict is counted with it once that settles', async () => {
  await post('/v1/outcomes', { outcomes: [{ subject_id: 'early', success: false }] });
  expect(await missedAndCaught()).toEqual({ caught: 0, missed: 0 });
  await post('/v1/turns', { turns: [turn('early', 'm'), turn('unlabelled', 'm')] });
  await drainWork(runtime);
  expect(await missedAndCaught()).toEqual({ caught: 1, missed: 0 });
  const pending =
    await project.sql`select from judgement_dues where project_id = ${project.projectId} and subject_id = 'unlabelled'`;
  expect(pending).toHaveLength(0);
});

test('X-1 a verdict and a label that do not see each other are counted by the second check', async () => {
  const { projectId } = project;
  await post('/v1/turns', { turns: [turn('model', 'm')] });
  await drainWork(runtime);
  let commit: () => void = () => undefined;
  const wait = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let stored: () => void = () => undefined;
  const isStored = new Promise<void>((resolve) => {
    stored = resolve;
  });
  // A settling statement whose snapshot is older than the label, and that commits after the label
  // was counted.
  const settling = runtime.ctx.sql.begin(async (sql) => {
    await sql`
      insert into verdicts select (jsonb_populate_record(v, jsonb_build_object('id', 'late', 'subject_id', 'race'))).*
      from verdicts v where project_id = ${projectId} and subject_id = 'model'`;
    stored();
    await wait;
  });
  await isStored;
  await post('/v1/outcomes', { outcomes: [{ subject_id: 'race', success: false }] });
  await drainRefreshQueue(runtime);
  commit();
  await settling;
  await drainRefreshQueue(runtime);
  expect(await missedAndCaught()).toEqual({ caught: 0, missed: 0 });
  const later = await project.sql<{ seconds: number }[]>`
    select extract(epoch from due_at - now())::int as seconds from judgement_dues where project_id = ${projectId} and subject_id = 'race'`;
  // Longer than the longest statement, which the server cancels after 10 s.
  expect(later).toHaveLength(1);
  expect(later[0]?.seconds).toBeGreaterThan(50);
  await project.sql`update judgement_dues set due_at = now() where project_id = ${projectId}`;
  await drainRefreshQueue(runtime);
  expect(await missedAndCaught()).toEqual({ caught: 1, missed: 0 });
});

test('D2 settling counts passes and failures by every dimension that a report can filter', async () => {
  const { sql, projectId } = project;
  for (const batch of [0, 1]) {
    await post('/v1/turns', {
      turns: Array.from({ length: 20 }, (_, n) => turn(`p${batch}-${n}`, n % 3 === 0 ? 'a' : 'b')),
    });
    await drainWork(runtime);
  }
  const counted = await sql`
    select verifier_slug, day::text, version, model, judge, self, part, passed, failed from verdict_populations where project_id = ${projectId} order by model`;
  const raw = await sql`
    select verifier_slug, (settled_at at time zone 'UTC')::date::text as day, verifier_version as version, model, coalesce(judge_model, '') as judge,
      cross_model is not distinct from 'self' as self, ${partColumn(sql)} as part, count(*) filter (where outcome = 'passed') as passed,
      count(*) filter (where outcome = 'failed') as failed
    from verdicts where project_id = ${projectId} and outcome in ('passed', 'failed') group by 1, 2, 3, 4, 5, 6, 7 order by model`;
  expect(raw.reduce((sum, { passed, failed }) => sum + Number(passed) + Number(failed), 0)).toBe(
    40,
  );
  expect([...counted]).toEqual([...raw]);
  const selves =
    await sql`select distinct self_passed, self_failed from verdict_rollups where project_id = ${projectId}`;
  expect([...selves]).toEqual([{ self_passed: '0', self_failed: '0' }]);
});

test('D3 settling counts the spreads of scores, costs and waits, in the same buckets as the reader', async () => {
  const turns = Array.from({ length: 60 }, (_, n) => turn(`t${n}`, n % 3 === 0 ? 'a' : 'b'));
  await post('/v1/turns', { turns });
  await drainWork(runtime);
  const verdicts = await project.sql<
    { model: string; score: number | null; cost: number; wait: number; calls: number }[]
  >`
    select model, score, judge_calls as calls, cost_usd as cost, (extract(epoch from settled_at - created_at) * 1000)::double precision as wait
    from verdicts where project_id = ${project.projectId}`;
  expect(verdicts).toHaveLength(60);
  for (const measure of ['score', 'cost', 'wait'] as const) {
    const kept = await project.sql<{ model: string; bucket: number; count: string }[]>`
      select model, key::int as bucket, value as count from verdict_spreads, jsonb_each_text(counts) where project_id = ${project.projectId} and measure = ${measure}`;
    const raw = new Map<string, number>();
    for (const verdict of verdicts) {
      const value = verdict[measure];
      if (value === null || (measure === 'cost' && verdict.calls === 0)) continue;
      const place = `${verdict.model} ${bucketOf(value)}`;
      raw.set(place, (raw.get(place) ?? 0) + 1);
    }
    expect(
      new Map(kept.map(({ model, bucket, count }) => [`${model} ${bucket}`, Number(count)])),
      measure,
    ).toEqual(raw);
  }
  const today = new Date();
  const wanted = { verifier: 'integrity', measure: 'wait', from: today } as const;
  expect((await readSpread(project, wanted)).n).toBe(60);
  const byModel = await readSpreads(project, wanted);
  expect(Object.fromEntries([...byModel].map(([model, { n }]) => [model, n]))).toEqual({
    a: 20,
    b: 40,
  });
  expect((await readSpread(project, { ...wanted, model: 'a' })).n).toBe(20);
  expect(await readSpread(project, { ...wanted, to: today })).toMatchObject({ n: 0, p50: null });
  // Closed days are read separately from today, and added to it.
  await project.sql`
    insert into verdict_spreads (project_id, day, verifier_slug, model, measure, counts)
    select project_id, day - 3, verifier_slug, model, measure, counts from verdict_spreads where project_id = ${project.projectId}`;
  const long = new Date(today.getTime() - 10 * 86_400_000);
  for (const _ of ['read', 'remembered']) {
    expect((await readSpread(project, { ...wanted, from: long })).n).toBe(120);
    expect((await readSpread(project, { verifier: 'integrity', measure: 'wait' })).n).toBe(120);
    expect((await readSpread(project, { ...wanted, from: long, to: today })).n).toBe(60);
  }
});
