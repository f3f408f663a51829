import type { ProjectCtx } from '../server/access';
import { finishOutputs, sendOutputs, startExperiment } from '../server/experiments';
import { StartExperimentBody } from '../server/experiments/input';
import type { Runtime } from '../server/runtime';
import { drainJobs, drainWork, insertTestReport } from './database';

// Rows that the examples of the API's routes need and that no route creates.

/** A report, an abandoned delivery and a finding: the results of schedules. */
export async function insertScheduleResults(runtime: Runtime, project: ProjectCtx): Promise<void> {
  await insertTestReport(runtime, project, 'rep_06h01');
  await runtime.ctx.sql`
    insert into deliveries (project_id, id, destination_id, verdict_id, state, attempts, due_at,
      last_error, created_at)
    select ${project.projectId}, 'dlv_06h01', d.id, v.id, 'dead', 8, now(), 'HTTP 500', now()
    from destinations d, verdicts v where d.project_id = ${project.projectId}
      and v.project_id = ${project.projectId} limit 1`;
  await runtime.ctx.sql`
    insert into alert_events (project_id, id, kind, series, name, event, severity, value, limit_value, message)
    values (${project.projectId}, 'alr_06h01', 'judge_outage', 'openai', 'openai', 'began', 'high', 0.4, 0.2,
      '4 of 10 calls to openai failed in the last 15 minutes.')`;
}

/** A second experiment, to compare the example with. @returns its id */
export async function finishBaseline(runtime: Runtime, project: ProjectCtx): Promise<string> {
  const body = { name: 'Answers of build 41', dataset: 'refunds', verifiers: ['integrity'] };
  const { id } = await startExperiment(
    project,
    runtime.subjects,
    StartExperimentBody.parse({ ...body, target: { type: 'outputs' } }),
  );
  const outputs = [{ item_id: 'r-1', output: 'Yes, for 45 days.' }];
  const sent = JSON.stringify({ outputs });
  await sendOutputs(project, runtime, { id, body: sent, outputs });
  await drainWork(runtime);
  await finishOutputs(project, id);
  await drainJobs(runtime);
  return id;
}
