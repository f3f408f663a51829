import { sql } from 'drizzle-orm';
import { schema } from '../../../db';
import type { ProjectCtx } from '../../access';
import type { Promotion } from './promotion';
import { asPromotion, currentJudges, type StoredPromotion } from './promotion-rows';

/** Limit of the list; all are stored. */
const max = 50;

/** The latest requests, newest first: for one prompt, for judges (`slug` ''), or for all. */
export async function listPromotions(
  ctx: ProjectCtx,
  { slug }: { readonly slug?: string | undefined },
): Promise<Promotion[]> {
  const { promotions } = schema;
  return ctx.db.transaction(async (tx) => {
    const rows = await tx
      .select()
      .from(promotions)
      .where(
        sql`project_id = ${ctx.projectId} ${slug === undefined ? sql`` : sql`and slug = ${slug}`}`,
      )
      .orderBy(sql`created_at desc, id desc`)
      .limit(max);
    const labels = await tx.execute<{ slug: string; version: number }>(sql`
      select slug, version from prompt_labels where project_id = ${ctx.projectId} and label = 'production'`);
    const running = new Map(labels.map((label) => [label.slug, String(label.version)]));
    running.set('', await currentJudges(ctx, tx));
    const stored = rows.map(asPromotion);
    const letIn = stored
      .filter(({ state }) => state === 'promoted' || state === 'forced')
      .toSorted((one, other) => timeOf(other) - timeOf(one));
    return stored.map((row) => {
      const now = running.get(row.slug) ?? '0';
      return {
        ...row,
        isCurrent:
          row.after === now &&
          letIn.find((each) => each.slug === row.slug && each.after === now)?.id === row.id,
      };
    });
  });
}

const timeOf = ({ endedAt }: StoredPromotion): number => endedAt?.getTime() ?? 0;
