import { and, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { findVerifier } from '../catalog';
import { readVerifierName } from '../domain';
import { notFound, refused } from '../platform';
import { alertFacts } from './alert-facts';
import type { PutAlertRuleIn, ResetAlertRuleIn } from './alert-input';
import { kindRuleOf } from './all-kinds';

type Change = Omit<z.infer<typeof PutAlertRuleIn>, 'project'>;

/**
 * Sets the rule of a kind of alert, for all verifiers or for one. Applies from the next check.
 * @throws AssayError refused (a limit for a kind without one, or out of its range; a verifier for a
 * kind without series per verifier), not_found
 */
export async function putAlertRule(
  ctx: ProjectCtx,
  { kind, verifier, rule }: Change,
): Promise<void> {
  checkLimit(kind, rule.limit);
  if (verifier !== null) await checkVerifier(ctx, kind, verifier);
  const values = {
    enabled: rule.enabled,
    limitValue: rule.limit,
    windowMinutes: rule.window_minutes,
    noData: rule.no_data,
    renotifyMinutes: rule.renotify_minutes,
    updatedBy: ctx.actor.label,
    updatedAt: sql`now()`,
  };
  const { alertRules } = schema;
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(alertRules)
      .values({ projectId: ctx.projectId, kind, verifierSlug: verifier ?? '', ...values })
      .onConflictDoUpdate({
        target: [alertRules.projectId, alertRules.kind, alertRules.verifierSlug],
        set: {
          ...values,
          limitSetAt: sql`case when ${alertRules.limitValue} is distinct from excluded.limit_value then now() else ${alertRules.limitSetAt} end`,
        },
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'alerts.put_rule',
      target: kind,
      detail: { verifier, ...rule },
    });
  });
}

/**
 * Restores the default rule, or the kind's rule for one verifier; has no effect without a stored
 * rule.
 */
export async function resetAlertRule(
  ctx: ProjectCtx,
  { kind, verifier }: Omit<z.infer<typeof ResetAlertRuleIn>, 'project'>,
): Promise<void> {
  const { alertRules } = schema;
  await ctx.db.transaction(async (tx) => {
    const deletedRules = await tx
      .delete(alertRules)
      .where(
        and(
          eq(alertRules.projectId, ctx.projectId),
          eq(alertRules.kind, kind),
          eq(alertRules.verifierSlug, verifier ?? ''),
        ),
      )
      .returning({ kind: alertRules.kind });
    if (deletedRules.length === 0) return;
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'alerts.reset_rule',
      target: kind,
      detail: { verifier },
    });
  });
}

function checkLimit(kind: Change['kind'], limit: number | null): void {
  const { limits } = kindRuleOf(kind);
  const refuseLimit = (message: string) =>
    refused(`limit: ${message}`, [{ path: 'rule.limit', message }]);
  if (limits === null) {
    if (limit !== null) throw refuseLimit('must be left out: this kind of alert has no limit');
  } else if (limit === null) {
    if (alertFacts[kind].limit === 'needed') throw refuseLimit('is required');
  } else if (limit < limits.min || limit > limits.max)
    throw refuseLimit(`must be from ${limits.min} to ${limits.max}`);
}

async function checkVerifier(
  ctx: ProjectCtx,
  kind: Change['kind'],
  verifier: string,
): Promise<void> {
  if (!alertFacts[kind].perVerifier)
    throw refused('verifier: must be left out: this kind of alert has no rules per verifier', [
      {
        path: 'verifier',
        message: 'must be left out: this kind of alert has no rules per verifier',
      },
    ]);
  const { slug, version } = readVerifierName(verifier);
  const found = version === null ? await findVerifier(ctx, ctx.projectId, slug) : null;
  if (found === null) throw notFound('verifier');
}
