import type { ProjectCtx } from '../access';
import { type Database, notifyChanged } from '../platform';
import { enqueueRefresh } from '../queue';
import { refreshLabelledVerdicts } from '../measures';
import { notifyLabelled } from './notify-labelled';

/**
 * Called by every writer of labels in its transaction: enqueues the recomputation of the subjects'
 * labelled verdicts, and notifies open pages on commit.
 * @param count the number of changes to report to open pages
 */
export async function enqueueLabelled(
  tx: Database,
  ctx: ProjectCtx,
  subjectIds: readonly string[],
  count = subjectIds.length,
): Promise<void> {
  await enqueueRefresh(tx, ctx, subjectIds);
  if (count > 0) await notifyLabelled(ctx, tx, count);
}

/**
 * Called by writers of labels after the commit. If the recomputation fails, it remains enqueued for
 * a worker, since the label itself is stored.
 */
export async function refreshLabelled(
  ctx: ProjectCtx,
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length === 0) return;
  try {
    await refreshLabelledVerdicts(ctx, subjectIds);
    notifyChanged(ctx, ctx.projectId, 'judgements');
  } catch (error) {
    ctx.log.warn(
      { err: error },
      'labelled verdicts: refresh after a label failed, left to a worker',
    );
  }
}
