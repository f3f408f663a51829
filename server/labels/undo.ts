import type { ProjectCtx } from '../access';
import { notFound, refused } from '../platform';
import { refreshLabelled } from './enqueue-labelled';
import { takeBack, undoIdOf } from './take-back';

const takenBack = ['override', 'abstention', 'grade', 'action'];

/**
 * Undoes an override, an abstention, a grade or an action by appending a row; the label remains
 * stored, and the earlier ruling counts again. Copies of the label on equal content are undone too.
 * Repeating the call changes nothing.
 * @param verdictId the verdict that it must belong to; omitted: any
 * @throws AssayError not_found; refused if it is not a person's ruling
 */
export async function undoLabel(
  ctx: ProjectCtx,
  labelId: string,
  verdictId?: string,
): Promise<{ readonly id: string }> {
  const [label] = await ctx.sql<
    { kind: string; verdict_id: string | null }[]
  >`select kind, verdict_id from labels where project_id = ${ctx.projectId} and id = ${labelId}`;
  if (label === undefined || (verdictId !== undefined && label.verdict_id !== verdictId))
    throw notFound('label');
  if (!takenBack.includes(label.kind))
    throw refused('only overrides, abstentions, grades and actions can be undone');
  const subjects = await ctx.db.transaction((tx) => takeBack(tx, ctx, labelId));
  await refreshLabelled(ctx, subjects);
  return { id: undoIdOf(ctx, labelId) };
}
