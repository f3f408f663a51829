import type { Ctx } from '../platform';
import { refreshesOf } from '../queue';

/** Exceeds the time that a previous release runs next to this one during a rolling update. */
const lookback = '2 hours';

/**
 * Enqueues missed subjects: those with labels or imported measurements that a release without this
 * table stored while running next to this one, and labelled subjects for which it settled verdicts.
 * The migration that created the table has enqueued older ones. Enqueuing a subject twice
 * recomputes it twice, with the same result.
 */
export async function enqueueMissed(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  const { sql } = ctx;
  const projects = await sql<{ id: string }[]>`
    select p.id from projects p where exists (select from labels where project_id = p.id) or exists (
      select from foreign_scores where project_id = p.id and source = 'import' and model is not null)`;
  for (const { id } of projects) {
    await sql`${refreshesOf(
      ctx,
      sql`
        select project_id, subject_id from labels where project_id = ${id} and created_at > now() - ${lookback}::text::interval
        union all
        select project_id, subject_id from foreign_scores
        where project_id = ${id} and source = 'import' and model is not null and created_at > now() - ${lookback}::text::interval
        union all
        select v.project_id, v.subject_id from verdicts v where v.project_id = ${id} and v.settled_at > now() - ${lookback}::text::interval and v.experiment_id is null
          and exists (select from labels l where l.project_id = ${id} and l.subject_id = v.subject_id)`,
    )}`;
  }
}
