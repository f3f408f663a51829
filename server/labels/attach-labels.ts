import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import { excerptKeyOf, findContentKey } from './content-key';
import { enqueueLabelled, refreshLabelled } from './enqueue-labelled';
import { type JudgedVerdict, listJudged } from './judged';
import { lockItem, resolveReviewItem } from './resolve-review-item';

/**
 * Attaches the labels that came before a verifier's first verdict on their subject (`labelSubject`)
 * to that verdict. Idempotent.
 * @param keepAlive called before each verdict
 */
export async function attachLabels(
  ctx: ProjectCtx,
  verdictIds: readonly string[],
  keepAlive?: () => Promise<unknown>,
): Promise<void> {
  if (verdictIds.length === 0) return;
  const rows = await ctx.sql<{ id: string }[]>`
    select v.id from jsonb_array_elements_text(${JSON.stringify(verdictIds)}::text::jsonb) as k(id)
    cross join lateral (
      select id, subject_id, verifier_slug from verdicts where project_id = ${ctx.projectId} and id = k.id limit 1
    ) as v
    where exists (
      select from labels where project_id = ${ctx.projectId} and subject_id = v.subject_id and verifier_slug = v.verifier_slug
        and verdict_id is null and kind in ('override', 'grade'))`;
  if (rows.length === 0) return;
  const ids = rows.map(({ id }) => id);
  for (const judged of await listJudged(ctx, ids)) {
    await keepAlive?.();
    await attachTo(ctx, judged);
  }
}

async function attachTo(ctx: ProjectCtx, judged: JudgedVerdict): Promise<void> {
  const { id, subjectId, verifierSlug, policyVersion } = judged;
  const contentKey = await findContentKey(ctx, judged);
  const excerptKey = contentKey === null ? null : excerptKeyOf(judged);
  const count = await ctx.db.transaction(async (tx) => {
    await lockItem(tx, ctx, id);
    const attached = await tx.execute(sql`
      update labels l set verdict_id = ${id}, policy_version = ${policyVersion},
        content_key = case when kind = 'override' then ${contentKey}::text end,
        excerpt_key = case when kind = 'override' then ${excerptKey}::text end
      where project_id = ${ctx.projectId} and subject_id = ${subjectId} and verifier_slug = ${verifierSlug}
        and verdict_id is null and kind in ('override', 'grade')
      returning id`);
    if (attached.length === 0) return 0;
    await resolveReviewItem(tx, ctx, id);
    await enqueueLabelled(tx, ctx, [subjectId], attached.length);
    return attached.length;
  });
  if (count > 0) await refreshLabelled(ctx, [subjectId]);
}
