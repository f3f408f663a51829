import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanText } from '../domain';
import { conflict, newId, notFound, notifyChangedIn } from '../platform';
import type { Finding } from './alert';
import { listFindings } from './list-findings';

/**
 * Acknowledges a finding: notices of it are not repeated while it lasts. Repeating the call
 * changes nothing: the first acknowledgement stays.
 * @param reason shown with it; null for none
 * @throws AssayError not_found, conflict if it has ended
 */
export async function acknowledgeFinding(
  ctx: ProjectCtx,
  id: string,
  reason: string | null,
): Promise<Finding> {
  await ctx.db.transaction(async (tx) => {
    // Serialised with the checks, which end findings (store-findings.ts).
    await tx.execute(sql`select 1 from alert_looks where project_id = ${ctx.projectId} for update`);
    const finding = await getFinding(ctx, id);
    if (finding.acknowledged !== null) return;
    if (finding.endedAt !== null)
      throw conflict('this finding has ended; only one that lasts can be acknowledged');
    const { kind, series, name, severity, value, limit } = finding;
    await tx.insert(schema.alertEvents).values({
      projectId: ctx.projectId,
      id: newId('alr', ctx.clock.now()),
      kind,
      series,
      name,
      event: 'acknowledged',
      severity,
      value,
      limitValue: limit,
      message: cleanText(reason?.trim() ?? '').text,
      createdBy: ctx.actor.label,
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'alerts.acknowledge',
      target: id,
      detail: { kind, series, reason },
    });
    await notifyChangedIn(tx, ctx.projectId, 'alerts');
  });
  return getFinding(ctx, id);
}

async function getFinding(ctx: ProjectCtx, id: string): Promise<Finding> {
  const [finding] = (await listFindings(ctx, { id, limit: 1 })).items;
  if (finding === undefined) throw notFound('finding');
  return finding;
}
