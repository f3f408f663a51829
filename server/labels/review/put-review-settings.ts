import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { requireNamedVerifier } from '../../catalog';
import type { Database } from '../../platform';
import type { ReviewSettings } from './item';
import { asReviewSettings } from './list-review-settings';
import type { ReviewSettingsBody } from './review-input';
import { lockSettings } from './review-settings';

export interface PutReviewSettings {
  /** Null for all verifiers without their own settings. */
  readonly verifier: string | null;
  readonly settings: ReviewSettingsBody;
}

/**
 * Changes how the queue is filled from now on; existing items keep their number of raters.
 * Repeating the same settings changes nothing.
 * @throws AssayError refused if there is no such verifier
 */
export async function putReviewSettings(
  ctx: ProjectCtx,
  { verifier, settings }: PutReviewSettings,
): Promise<ReviewSettings> {
  if (verifier !== null) await requireNamedVerifier(ctx, verifier);
  const { reviewSettings } = schema;
  const slug = verifier ?? '';
  const { auditRate, uncertainBand, raters, blind } = settings;
  const row = await ctx.db.transaction(async (tx) => {
    await lockSettings(tx, ctx);
    const [before] = await tx
      .select()
      .from(reviewSettings)
      .where(
        and(eq(reviewSettings.projectId, ctx.projectId), eq(reviewSettings.verifierSlug, slug)),
      )
      .for('update');
    const isSame =
      before !== undefined &&
      before.auditRate === auditRate &&
      before.uncertainBand === uncertainBand &&
      before.raters === raters &&
      before.blind === blind;
    if (isSame) return before;
    const values = {
      auditRate,
      uncertainBand,
      raters,
      blind,
      updatedBy: ctx.actor.label,
      updatedAt: ctx.clock.now(),
    };
    const [stored] = await tx
      .insert(reviewSettings)
      .values({ projectId: ctx.projectId, verifierSlug: slug, ...values })
      .onConflictDoUpdate({
        target: [reviewSettings.projectId, reviewSettings.verifierSlug],
        set: values,
      })
      .returning();
    if (before?.auditRate !== auditRate) await appendAuditRate(ctx, tx, slug, auditRate);
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'review.settings',
      target: verifier,
      detail: { auditRate, uncertainBand, raters, blind },
    });
    return stored;
  });
  if (row === undefined) throw new Error('settings of the review queue were not stored');
  return asReviewSettings({
    slug,
    rates: [],
    auditRate,
    uncertainBand,
    raters,
    blind,
    updatedBy: row.updatedBy,
    updatedAt: row.updatedAt,
  });
}

/**
 * The rate applies from the current time, not from the start of the transaction: before the lock
 * was acquired, the queue may have been filled at the previous rate.
 */
async function appendAuditRate(
  { projectId }: ProjectCtx,
  tx: Pick<Database, 'execute'>,
  slug: string,
  rate: number,
): Promise<void> {
  await tx.execute(sql`
    update review_settings set audit_rates = audit_rates || jsonb_build_array(jsonb_build_object(
      'from', extract(epoch from clock_timestamp()), 'rate', ${rate}::double precision))
    where project_id = ${projectId} and verifier_slug = ${slug}`);
}
