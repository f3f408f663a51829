import type { ProjectCtx } from '../../access';
import { asReviewItem, findItems, getItem, isBlind } from './find-items';
import type { SimilarItems } from './item';
import { reviewLimits } from './review-input';

/** The most urgent open items that are compared: each costs a lookup of its verdict. */
const comparedMax = 500;

interface Row {
  id: string;
  finding: string | null;
}

/**
 * Open items of the same verifier that share the verdict and the code of its first issue, or the
 * text. Items that others have reserved, that are assigned to others, or that this person has ruled
 * on are omitted. Items with the same finding come first. A blind item is compared with blind items
 * and by text only: a shared finding would reveal the verdict.
 * @throws AssayError not_found
 */
export async function listSimilarItems(
  ctx: ProjectCtx,
  { item }: { readonly item: string },
): Promise<SimilarItems> {
  const { sql, projectId, actor } = ctx;
  const row = await getItem(ctx, item);
  const hidden = isBlind(row);
  const rows = await sql<Row[]>`
    with target as (
      select verdict, excerpt, issues->0->>'code' as code, issues->0->>'message' as message from verdicts
      where project_id = ${projectId} and id = ${row.verdict_id} and experiment_id is null limit 1
    ), open as (
      select id, verdict_id, priority from review_items
      where project_id = ${projectId} and verifier_slug = ${row.verifier_slug} and state = 'open' and id <> ${item}
        and (blind and not 'contested' = any(queues)) = ${hidden} and not ${actor.label}::text = any(ruled_by)
        and (reserved_until is null or reserved_until <= now() or reserved_by = ${actor.label})
        and coalesce(assigned_to, ${actor.label}) = ${actor.label}
      order by priority desc, id desc limit ${comparedMax}
    )
    select o.id, case when not ${hidden} then v.issues->0->>'message' end as finding
    from open o cross join target t
    cross join lateral (
      select verdict, excerpt, issues from verdicts where project_id = ${projectId} and id = o.verdict_id and experiment_id is null limit 1
    ) as v
    where t.excerpt <> '' and v.excerpt = t.excerpt and (${hidden} or v.verdict is not distinct from t.verdict)
      or not ${hidden} and v.verdict is not distinct from t.verdict and v.issues->0->>'code' = t.code
    order by not ${hidden} and v.issues->0->>'message' = t.message desc nulls last, o.priority desc, o.id desc
    limit ${reviewLimits.bulk - 1}`;
  const found = await findItems(
    ctx,
    rows.map(({ id }) => id),
  );
  const findings = new Map(rows.map(({ id, finding }) => [id, finding]));
  return {
    items: found.map((each) => ({
      item: asReviewItem(each),
      finding: findings.get(each.id) ?? null,
    })),
  };
}
