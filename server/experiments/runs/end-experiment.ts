import { type ProjectCtx, recordAudit } from '../../access';
import { notifyChanged, refused } from '../../platform';
import { cancelJob, dropExperimentWork } from '../../queue';
import type { StartedExperiment } from './start-experiment';
import { type ExperimentState, findExperiment } from './experiment';

/** Ends a running experiment; an ended one does not change. */
export async function endExperiment(
  ctx: ProjectCtx,
  id: string,
  state: Exclude<ExperimentState, 'open' | 'running'>,
  reason: string | null,
): Promise<void> {
  await ctx.sql`
    update experiments set state = ${state}, reason = ${reason}, finished_at = now()
    where project_id = ${ctx.projectId} and id = ${id} and state in ('running', 'open')`;
  notifyChanged(ctx, ctx.projectId, 'experiments');
}

/**
 * Stops an experiment: no further call is started, pending verifications are dropped, and outputs
 * and verdicts stay. Calls in progress end and are stored.
 * @throws AssayError not_found, refused (it has ended)
 */
export async function cancelExperiment(ctx: ProjectCtx, id: string): Promise<StartedExperiment> {
  const { state, jobId } = await findExperiment(ctx, id);
  const stopped = { id, jobId: jobId === '' ? null : jobId };
  if (state === 'cancelled') return stopped;
  if (state !== 'running' && state !== 'open') {
    const message = `the experiment has ended already: its state is ${state}`;
    throw refused(message, [{ path: 'id', message }]);
  }
  await endExperiment(ctx, id, 'cancelled', null);
  if (jobId !== '') await cancelJob(ctx, jobId);
  await dropExperimentWork(ctx.sql, ctx.projectId, id);
  await ctx.db.transaction((tx) =>
    recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'experiments.cancel',
      target: id,
      detail: {},
    }),
  );
  return stopped;
}
