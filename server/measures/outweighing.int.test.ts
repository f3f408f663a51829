import { expect } from 'vitest';
import { createTestProject } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { listLabelledVerdicts } from './list-labelled-verdicts';
import { measureVerifier } from './measure-verifier';
import { measureVerifiers } from './measure';
import { refreshLabelledVerdicts } from './refresh';
import { overrulesMore } from './outweighing';

let runtime: Runtime;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

let serial = 0;

/**
 * `count` passed verdicts that `account` ruled on, `overruled` of them as failures; `rater` is the
 * name that the caller sent.
 */
async function rule(
  project: ProjectCtx,
  account: string,
  count: number,
  overruled: number,
  rater: string | null = null,
): Promise<void> {
  const { sql, projectId } = project;
  const from = ++serial * 100_000;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, detail, excerpt, created_at)
    select ${projectId}, 'ver_' || n, 'task', 'task', 1, 'task', 's' || n, 1, 'passed', 'pass', 'accept', false, 'run', '[]', '{}', '', now()
    from generate_series(${from}::int, ${from + count - 1}::int) n`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, verdict_id, verifier_slug, verdict, success, rater, source, selection, content_hash,
      created_by, created_at)
    select ${projectId}, 'lbl_' || n, 'override', 's' || n, 'ver_' || n, 'task', case when n < ${from + overruled} then 'fail' else 'pass' end,
      n >= ${from + overruled}, ${rater}::text, 'console', 'own_choice', 'h' || n, ${account}, now() - interval '1 hour' + n * interval '1 ms'
    from generate_series(${from}::int, ${from + count - 1}::int) n`;
  await runtime.ctx.sql`analyze verdicts, labels`;
  await refreshLabelledVerdicts(
    project,
    Array.from({ length: count }, (_, n) => `s${from + n}`),
  );
}

const measure = async (project: ProjectCtx) =>
  (await measureVerifiers(project, { verifier: 'task' })).find(
    ({ verifier }) => verifier === 'task',
  );

test('S-35 of 500 hostile rulings of one account as many count as all others made; the report names it, and each number leads to its rows', async () => {
  const project = await createTestProject(runtime);
  for (const honest of ['ann@example.org', 'ben@example.org']) await rule(project, honest, 20, 1);
  const before = await measure(project);
  expect(before).toMatchObject({ counts: { ruled: 40, overruled: 2 }, outweighing: [] });
  // Any number of names may be used: only the signed-in account counts.
  for (let n = 0; n < 5; n++) await rule(project, 'mallory@example.org', 100, 100, `rater ${n}`);
  const after = await measure(project);
  expect(after?.outweighing).toMatchObject([
    {
      account: 'mallory@example.org',
      rulings: 500,
      overruled: 500,
      counted: 40,
      others: 40,
      othersOverruled: 2,
    },
  ]);
  expect(after?.counts).toMatchObject({ ruled: 80, overruled: 42, missed: 42, passed: 38 });
  const detail = await measureVerifier(project, { verifier: 'task', origin: 'verifier', days: 30 });
  expect(detail).toMatchObject({
    counts: { ruled: 80 },
    outweighing: [{ account: 'mallory@example.org' }],
  });
  expect(detail.steps.reduce((sum, { matrix }) => sum + matrix.missed, 0)).toBe(42);
  const rows = await listLabelledVerdicts(project, {
    verifier: 'task',
    origin: 'verifier',
    cell: 'overruled',
    limit: 200,
  });
  expect(rows.items).toHaveLength(42);
});

test.each([
  ['rules often and agrees with others', 400, 20, 40, 2],
  ['disagrees, and rules less than the others', 30, 30, 40, 2],
  ['disagrees with a single other account', 400, 400, 40, 2],
  ['is the only one', 400, 400, 0, 0],
  ['disagrees with accounts of too few rulings', 400, 400, 15, 0],
])('S-35 no one is limited who %s', async (_, rulings, overruled, others, othersOverruled) => {
  const project = await createTestProject(runtime);
  await rule(project, 'one@example.org', rulings, overruled);
  if (others > 0) await rule(project, 'other@example.org', others, othersOverruled);
  expect(await measure(project)).toMatchObject({
    outweighing: [],
    counts: { ruled: rulings + others },
  });
});

test('S-35 one share exceeds the other if the interval of their difference is above 0', () => {
  // Newcombe 1998, table II: 56/70 and 48/80 give 0.2 (0.0524 to 0.3339); 9/10 and 3/10 give 0.6
  // (0.1705 to 0.8090).
  expect(overrulesMore({ rulings: 70, overruled: 56 }, { rulings: 80, overruled: 48 })).toBe(true);
  expect(overrulesMore({ rulings: 10, overruled: 9 }, { rulings: 10, overruled: 3 })).toBe(true);
  expect(overrulesMore({ rulings: 10, overruled: 3 }, { rulings: 10, overruled: 9 })).toBe(false);
  expect(overrulesMore({ rulings: 40, overruled: 10 }, { rulings: 40, overruled: 14 })).toBe(false);
  expect(overrulesMore({ rulings: 40, overruled: 0 }, { rulings: 40, overruled: 0 })).toBe(false);
});
