import type { Ctx } from '../../platform';
import { duesOf } from '../../queue';

/** Longer than a release before this one runs beside it while instances are replaced. */
const lookBack = '2 hours';

/**
 * Notes what nobody noted: labels and imported measurements of a release that knew of no judgements. All of a project that has labels and not one judgement,
 * which is a project that was just brought up to date; of others what came lately. What is noted twice is made twice, and the same.
 */
export async function noteMissed(ctx: Pick<Ctx, 'sql'>): Promise<void> {
  const { sql } = ctx;
  const projects = await sql<{ id: string; made: boolean }[]>`
    select p.id, exists (select from judgements where project_id = p.id) or exists (select from judgement_dues where project_id = p.id) as made
    from projects p where exists (select from labels where project_id = p.id) or exists (
      select from foreign_scores where project_id = p.id and source = 'import' and model is not null)`;
  for (const { id, made } of projects) {
    const lately = made ? sql`and created_at > now() - ${lookBack}::text::interval` : sql``;
    await sql`${duesOf(
      ctx,
      sql`
        select project_id, subject_id from labels where project_id = ${id} ${lately}
        union all
        select project_id, subject_id from foreign_scores where project_id = ${id} and source = 'import' and model is not null ${lately}`,
    )}`;
  }
}
