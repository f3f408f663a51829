import { expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { readPassWeights } from './session-weights';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

/** Verdicts of `task`, a second apart, the first the newest; `length` of them per session. */
async function store(
  { sql, projectId }: ProjectCtx,
  first: number,
  count: number,
  length: number,
): Promise<void> {
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, session_id, revision, model, outcome, verdict,
      action, needs_human_review, decision_state, issues, detail, excerpt, created_at, settled_at)
    select ${projectId}, 'v' || n, 'task', 'task', 1, 'task', 'v' || n, 's' || n / ${length}::int, 1, 'm',
      case when n / ${length}::int % 2 = 0 then 'passed' else 'failed' end, 'pass', 'none', false, 'run', '[]', '{}', '', now(),
      '2026-11-01T00:00:00Z'::timestamptz - n * interval '1 second'
    from generate_series(${first}::int, ${first + count - 1}::int) n`;
}

/** The same number by another verifier, in between. */
async function storeOthers({ sql, projectId }: ProjectCtx): Promise<void> {
  await sql`
    insert into verdicts
    select (jsonb_populate_record(v, jsonb_build_object('id', 'o' || id, 'verifier_slug', 'other'))).*
    from verdicts v where project_id = ${projectId}`;
}

const weightOfTask = async (project: ProjectCtx): Promise<number | undefined> =>
  (
    await readPassWeights(project, { slugs: ['task', 'other'], by: project.sql`v.verifier_slug` })
  ).get('task');

test('calibration.md 5.1 of more than 10,000 verdicts only the newest measure the agreement within sessions, read from the index alone', async () => {
  const project = await createTestProject(runtime);
  await store(project, 0, 10_000, 4);
  const weight = await weightOfTask(project);
  expect(weight).toBeCloseTo(2499 / 2500 / 4, 9);
  // Older ones are single, and no longer read.
  await store(project, 10_000, 3_000, 1);
  expect(await weightOfTask(project)).toBe(weight);
  await storeOthers(project);
  await runtime.ctx.sql`vacuum (analyze) verdicts`;
  const { sql, projectId } = project;
  const plan = await sql<{ 'QUERY PLAN': string }[]>`
    explain (analyze, buffers, costs off, timing off)
    select coalesce(session_id, subject_id), outcome, model from (
      select * from verdicts where project_id = ${projectId} and verifier_slug = 'task'
        and outcome in ('passed', 'failed') and experiment_id is null
      order by settled_at desc limit 10000
    ) as v`;
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toContain('Index Only Scan Backward using verdicts_decided_live');
  expect(text).toContain('rows=10000');
});

test('where each verdict is of a session of its own there is no weight', async () => {
  const project = await createTestProject(runtime);
  await store(project, 0, 50, 1);
  expect(await weightOfTask(project)).toBeUndefined();
});
