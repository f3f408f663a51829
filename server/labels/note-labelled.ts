import type { ProjectCtx } from '../access';
import { type Database, tellChanged } from '../platform';
import { noteDue } from '../queue';
import { refreshJudgements } from '../measures';
import { tellLabelled } from './tell-labelled';

/**
 * What every writer of labels does in its transaction: the subjects' judgements are due, and open
 * pages hear of it when that commits.
 * @param count of what is told to pages
 */
export async function noteLabelled(
  tx: Database,
  ctx: ProjectCtx,
  subjectIds: readonly string[],
  count = subjectIds.length,
): Promise<void> {
  await noteDue(tx, ctx, subjectIds);
  if (count > 0) await tellLabelled(ctx, tx, count);
}

/**
 * And what it does after the commit. Should it fail, what was due stays so, and a worker does it:
 * the label itself is stored.
 */
export async function refreshLabelled(
  ctx: ProjectCtx,
  subjectIds: readonly string[],
): Promise<void> {
  if (subjectIds.length === 0) return;
  try {
    await refreshJudgements(ctx, subjectIds);
    tellChanged(ctx, ctx.projectId, 'judgements');
  } catch (error) {
    ctx.log.warn({ err: error }, 'judgements: not made anew after a label, left to a worker');
  }
}
