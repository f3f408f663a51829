import type { ProjectCtx } from '../../access';

/** The count stops here: the exact number of further items is irrelevant. */
const countMax = 1_000;

/**
 * The number of open items that this person has not ruled on. It is limited to 1,000 because every
 * page queries it.
 */
export async function countWaiting({ sql, projectId, actor }: ProjectCtx): Promise<number> {
  const [row] = await sql<{ items: number }[]>`
    select count(*)::int as items from (
      select from review_items where project_id = ${projectId} and state = 'open' and not ${actor.label}::text = any(ruled_by) limit ${countMax}
    ) as waiting`;
  return row?.items ?? 0;
}
