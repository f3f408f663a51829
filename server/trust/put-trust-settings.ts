import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanValue } from '../domain';
import { listTrustSettings, type TrustSettings } from '../thresholds';
import type { TrustSettingsBody } from '../thresholds/input';
import { requireNamedVerifier } from '../catalog';

export interface PutTrustSettings {
  /** Null for all verifiers without their own settings. */
  readonly verifier: string | null;
  /**
   * Null removes the verifier's own settings: those for all verifiers, or the defaults, apply
   * again.
   */
  readonly settings: TrustSettingsBody | null;
}

/**
 * Sets the requirements for a verifier's trust, and whether it loses its right to block without
 * that trust. Applies to verdicts from the next batch on. Setting the same values again changes
 * nothing. Returns all settings.
 * @throws AssayError refused if there is no such verifier
 */
export async function putTrustSettings(
  ctx: ProjectCtx,
  { verifier, settings }: PutTrustSettings,
): Promise<TrustSettings[]> {
  if (verifier !== null) await requireNamedVerifier(ctx, verifier);
  const { trustSettings } = schema;
  const { projectId } = ctx;
  const which = and(
    eq(trustSettings.projectId, projectId),
    eq(trustSettings.verifierSlug, verifier ?? ''),
  );
  const wanted = cleanValue(settings) as TrustSettingsBody | null;
  await ctx.db.transaction(async (tx) => {
    const [before] = await tx.select().from(trustSettings).where(which).for('update');
    if (wanted === null) {
      if (before === undefined) return;
      await tx.delete(trustSettings).where(which);
      // No remaining row has the time of this change. Setting an old check time triggers the next
      // check.
      await tx.execute(sql`
        update trust_states set looked_at = least(looked_at, now() - interval '11 minutes') where project_id = ${projectId}`);
    } else {
      if (before !== undefined && isSame(before, wanted)) return;
      const values = { ...wanted, updatedBy: ctx.actor.label, updatedAt: sql`now()` };
      await tx
        .insert(trustSettings)
        .values({ projectId, verifierSlug: verifier ?? '', ...values })
        .onConflictDoUpdate({
          target: [trustSettings.projectId, trustSettings.verifierSlug],
          set: values,
        });
    }
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'trust.settings',
      target: verifier,
      detail: { settings: wanted },
    });
  });
  return listTrustSettings(ctx);
}

function isSame(before: TrustSettingsBody, wanted: TrustSettingsBody): boolean {
  const keyOf = ({
    enforceTrust,
    catchTarget,
    falseRejectionTarget,
    requiredSlices,
    halfLifeDays,
  }: TrustSettingsBody): string =>
    JSON.stringify([
      enforceTrust,
      catchTarget,
      falseRejectionTarget,
      requiredSlices.map(({ by, value }) => [by, value]),
      halfLifeDays,
    ]);
  return keyOf(before) === keyOf(wanted);
}
