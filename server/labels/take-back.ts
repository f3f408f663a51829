import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { type Database, derivedId, sha256 } from '../platform';
import { enqueueLabelled } from './enqueue-labelled';
import { lockItem, resolveReviewItem } from './resolve-review-item';

interface Taken extends Record<string, unknown> {
  id: string;
  subject_id: string;
  verdict_id: string | null;
  verifier_slug: string | null;
  policy_version: string | null;
}

/**
 * The id of the row that undoes a label: one per label, regardless of who undoes it and how often.
 */
export const undoIdOf = (ctx: Pick<ProjectCtx, 'projectId'>, labelId: string): string =>
  derivedId('lbl', ctx.projectId, 'undo', labelId);

/**
 * The id of the grade that was sent with an abstention: a separate label, which is undone with it.
 */
export const gradeIdOf = (ctx: Pick<ProjectCtx, 'projectId'>, abstentionId: string): string =>
  derivedId('lbl', ctx.projectId, 'grade', abstentionId);

/** Serialises copying and undoing a ruling, so that no copy outlives its original. */
export async function lockRuling(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  labelId: string,
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`ruling ${projectId} ${labelId}`}, 0))`,
  );
}

export async function isTakenBack(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  labelId: string,
): Promise<boolean> {
  const rows = await tx.execute(
    sql`select 1 from labels where project_id = ${projectId} and undoes = ${labelId} limit 1`,
  );
  return rows.length > 0;
}

/**
 * Undoes a label, its copies on equal content and the grade of an abstention in `tx`, each by a
 * separate row; labels that are already undone are unchanged. Updates the review items as if the
 * labels did not exist. Returns the subjects whose labelled verdicts must be recomputed.
 */
export async function takeBack(
  tx: Database,
  ctx: ProjectCtx,
  labelId: string,
): Promise<readonly string[]> {
  // Locks are always taken in the order item, ruling, items of the copies, so that concurrent calls
  // never deadlock.
  const [first] = await tx.execute<{ verdict_id: string | null }>(sql`
    select verdict_id from labels where project_id = ${ctx.projectId} and id = ${labelId}`);
  if (first?.verdict_id != null) await lockItem(tx, ctx, first.verdict_id);
  await lockRuling(tx, ctx, labelId);
  const taken = await tx.execute<Taken>(sql`
    select id, subject_id, verdict_id, verifier_slug, policy_version from labels l
    where project_id = ${ctx.projectId} and (id in (${labelId}, ${gradeIdOf(ctx, labelId)}) or reuses = ${labelId})
      and not exists (select from labels u where u.project_id = ${ctx.projectId} and u.undoes = l.id)
    order by reuses is not null, verdict_id, id`);
  const subjects: string[] = [];
  for (const label of taken) {
    if (label.verdict_id !== null) await lockItem(tx, ctx, label.verdict_id);
    const inserted = await tx
      .insert(schema.labels)
      .values(undoOf(ctx, label))
      .onConflictDoNothing()
      .returning({ id: schema.labels.id });
    if (inserted.length === 0) continue;
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'labels.undo',
      target: label.verdict_id,
      detail: { label: label.id, ...(label.id !== labelId && { repeats: labelId }) },
    });
    if (label.verdict_id !== null) await resolveReviewItem(tx, ctx, label.verdict_id);
    subjects.push(label.subject_id);
  }
  if (subjects.length > 0) await enqueueLabelled(tx, ctx, subjects);
  return [...new Set(subjects)];
}

function undoOf(ctx: ProjectCtx, label: Taken): typeof schema.labels.$inferInsert {
  return {
    projectId: ctx.projectId,
    id: undoIdOf(ctx, label.id),
    kind: 'undo',
    subjectId: label.subject_id,
    verdictId: label.verdict_id,
    verifierSlug: label.verifier_slug,
    undoes: label.id,
    rater: ctx.actor.label,
    source: ctx.actor.kind === 'user' ? 'console' : 'api',
    policyVersion: label.policy_version,
    contentHash: sha256(JSON.stringify(['undo', label.id])),
    createdBy: ctx.actor.label,
  };
}
