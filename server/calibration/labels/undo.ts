import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { derivedId, notFound, refused, sha256 } from '../../platform';
import { tellLabelled } from './tell-labelled';

interface LabelRow {
  kind: string;
  subject_id: string;
  verdict_id: string | null;
  verifier_slug: string | null;
  policy_version: string | null;
}

/**
 * Takes an override or a grade back by another row; the label stays, and what was ruled before it counts again. Undone again, nothing
 * changes.
 * @throws AssayError not_found; refused for what is no ruling of a person
 */
export async function undoLabel(ctx: ProjectCtx, labelId: string): Promise<{ readonly id: string }> {
  const [label] = await ctx.sql<LabelRow[]>`
    select kind, subject_id, verdict_id, verifier_slug, policy_version from labels where project_id = ${ctx.projectId} and id = ${labelId}`;
  if (label === undefined) throw notFound('label');
  if (!['override', 'grade', 'action'].includes(label.kind)) throw refused('only overrides, grades and actions are taken back');
  const id = derivedId('lbl', ctx.projectId, 'undo', labelId);
  await ctx.db.transaction(async (tx) => {
    const made = await tx
      .insert(schema.labels)
      .values({
        projectId: ctx.projectId,
        id,
        kind: 'undo',
        subjectId: label.subject_id,
        verdictId: label.verdict_id,
        verifierSlug: label.verifier_slug,
        undoes: labelId,
        rater: ctx.actor.label,
        source: ctx.actor.kind === 'user' ? 'console' : 'api',
        policyVersion: label.policy_version,
        contentHash: sha256(JSON.stringify(['undo', labelId])),
        createdBy: ctx.actor.label,
      })
      .onConflictDoNothing()
      .returning({ id: schema.labels.id });
    if (made.length === 0) return;
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'labels.undo',
      target: label.verdict_id,
      detail: { label: labelId },
    });
    await tellLabelled(ctx, tx);
  });
  return { id };
}
