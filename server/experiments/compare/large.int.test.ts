import { expect } from 'vitest';
import { test } from '../../../testing/fixture';
import { compareExperiments } from './compare-experiments';
import { listComparedItems } from './compare-items';
import { getExperiment } from './get-experiment';

// If every row were compared with every other, this would take longer than a test may.
test('results and comparisons of new experiments are read in time that grows with their rows', async ({
  project,
}) => {
  const items = 10_000;
  const { sql, projectId } = project;
  const ids = ['exp_a', 'exp_b'];
  for (const [n, id] of ids.entries()) {
    await sql`
      insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, repetitions, target, verifiers, concurrency, job_id, state, created_by)
      values (${projectId}, ${id}, ${id}, 'ds_1', 'd', 1, 1, '{"type":"outputs"}', '{policy}', 1, 'job', 'done', 'test')`;
    await sql`
      insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition, state, turn_id)
      select ${projectId}, ${id}, k, 'i' || k, 1, 'answered', ${id}::text || '-' || k from generate_series(1, ${items}::int) k`;
    await sql`
      insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, turn_id, experiment_id, outcome, action, score, needs_human_review, decision_state, issues, detail, excerpt, cost_usd, created_at)
      select ${projectId}, 'v-' || t, 'turn', 'policy', 1, 'turn', t, 1, t, ${id}, case when k % 4 <= ${n}::int then 'failed' else 'passed' end, 'none', 0.5, false, 'run', '[]', '{}', '', 0, now()
      from generate_series(1, ${items}::int) k, lateral (select ${id}::text || '-' || k as t) as named`;
  }
  const { results } = await getExperiment(project, 'exp_a');
  expect(results).toMatchObject([{ passRate: { numerator: 7_500, denominator: items } }]);
  const { comparisons } = await compareExperiments(project, { ids, limit: 20 });
  expect(comparisons).toMatchObject([{ items: { improved: 0, regressed: 2_500, same: 7_500 } }]);
  const { data } = await listComparedItems(project, { ids, limit: 20 });
  expect(data.map(({ change }) => change)).toEqual(Array.from({ length: 20 }, () => 'regressed'));
});
