import { sql } from 'drizzle-orm';
import { type ProjectCtx, recordAudit } from '../../access';
import { conflict, type Database, newId, refused } from '../../platform';
import { storeJob } from '../../queue';
import { type Experiment, findExperiment } from './experiment';
import { experimentKind } from './run-job';
import { readRunProgress } from './run-rows';
import type { ResumeExperimentBody } from './run-input';
import type { StartedExperiment } from './start-experiment';

/**
 * Continues an experiment that was cancelled, failed or used up its budget. Rows with an output
 * keep it; failed and lost rows are called again only on request. One with sent outputs waits for
 * the missing ones.
 * @throws AssayError not_found, refused (it runs, nothing is left to do, or its dataset was
 * deleted), conflict (resumed by another request)
 */
export async function resumeExperiment(
  ctx: ProjectCtx,
  id: string,
  { retry_failed: retryFailed, budget_usd: budgetUsd }: ResumeExperimentBody,
): Promise<StartedExperiment> {
  const run = await findExperiment(ctx, id);
  if (run.state === 'running' || run.state === 'open')
    throw refusal('id', `the experiment has not ended: its state is ${run.state}`);
  const progress = await readRunProgress(ctx, id);
  const isComplete =
    progress.waiting + progress.asked === 0 &&
    progress.verdicts === progress.answered * run.verifiers.length;
  const canRetry = retryFailed && progress.rows > progress.answered;
  if (isComplete && !canRetry)
    throw refusal(
      'retry_failed',
      'nothing is left to do; set retry_failed to call the target for failed rows',
    );
  if (progress.waiting > 0 || canRetry) await requireDataset(ctx, run);
  // Outputs that are still to be sent make no job.
  const isOpen = run.target.type === 'outputs' && (progress.waiting > 0 || canRetry);
  const jobId = isOpen ? '' : newId('job', ctx.clock.now());
  await ctx.db.transaction(async (tx) => {
    const resumed = await tx.execute(sql`
      update experiments set state = ${isOpen ? 'open' : 'running'}, reason = null, finished_at = null,
        job_id = ${jobId}, reserved_micros = 0,
        budget_micros = ${budgetUsd == null ? sql`budget_micros` : Math.floor(budgetUsd * 1_000_000)}
      where project_id = ${ctx.projectId} and id = ${id} and job_id = ${run.jobId}
      returning id`);
    if (resumed.length === 0) throw conflict('the experiment was resumed meanwhile');
    if (retryFailed) await reopenRows(ctx, tx, id);
    if (!isOpen)
      await storeJob(ctx, tx, {
        id: jobId,
        kind: experimentKind,
        input: { experiment: id },
        total: progress.rows * (1 + run.verifiers.length),
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'experiments.resume',
      target: id,
      detail: { retry_failed: retryFailed, budget_usd: budgetUsd ?? null },
    });
  });
  return { id, jobId: isOpen ? null : jobId };
}

async function reopenRows({ projectId }: ProjectCtx, tx: Database, id: string): Promise<void> {
  await tx.execute(sql`
    update experiment_rows set state = 'waiting', error = null, cost_usd = null, ended_at = null
    where project_id = ${projectId} and experiment_id = ${id} and state in ('failed', 'lost')`);
}

const refusal = (path: string, message: string) => refused(message, [{ path, message }]);

/** Rows without an output need their items. */
async function requireDataset(
  { sql: query, projectId }: ProjectCtx,
  { datasetId }: Experiment,
): Promise<void> {
  const found = await query`
    select 1 from datasets where project_id = ${projectId} and id = ${datasetId}`;
  if (found.length > 0) return;
  throw refusal(
    'id',
    'the dataset was deleted, so the remaining rows have no items; start an experiment with another dataset',
  );
}
