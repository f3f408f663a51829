import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { notFound, rateLimited, refused } from '../platform';
import { ownRow } from './create';
import { deliveryId, insertNotice } from './store-notice';

/** Minimum time between tests, which must not flood a mailbox. */
const againSeconds = 10;

/**
 * Sends a notice to one destination, to test whether it arrives; the deliveries list its result.
 * Uses the stored address with the secrets entered for it (S-45). Returns the delivery's id.
 * @throws AssayError not_found, refused (disabled, or a collector, which accepts only verdicts),
 * rate_limited
 */
export async function sendTest(ctx: ProjectCtx, id: string): Promise<{ id: string }> {
  const { projectId } = ctx;
  return ctx.db.transaction(async (tx) => {
    const [destination] = await tx
      .select()
      .from(schema.destinations)
      .where(ownRow(ctx, id))
      .for('update');
    if (destination === undefined) throw notFound('destination');
    if (destination.kind === 'otlp')
      throw refused('an OpenTelemetry collector receives verdicts only and cannot be tested');
    if (!destination.enabled) throw refused('the destination is disabled; enable it first');
    const [lately] = await tx.execute(sql`
      select from deliveries v join notices n on n.project_id = ${projectId} and n.id = v.notice_id
      where v.project_id = ${projectId} and v.destination_id = ${id} and v.created_at > now() - ${againSeconds} * interval '1 second' and n.ref_id = ${id}`);
    if (lately !== undefined)
      throw rateLimited('a test was sent a few seconds ago; wait before the next', againSeconds);
    const noticeId = await insertNotice(ctx, tx, {
      kind: 'alert',
      refId: id,
      severity: 'low',
      subject: `Test from ${ctx.projectSlug}`,
      text: `This is a test that ${ctx.actor.label} sent. Notices to this destination arrive.`,
      data: { event: 'test', url: `${ctx.env.webUrl}/p/${ctx.projectSlug}/settings/webhooks` },
    });
    const [delivery] = await tx.execute<{ id: string }>(sql`
      insert into deliveries (project_id, id, destination_id, notice_id)
      select project_id, ${deliveryId(noticeId)}, d.id, ${noticeId} from destinations d where d.project_id = ${projectId} and d.id = ${id} returning id`);
    if (delivery === undefined) throw new Error('a test was not stored');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'destinations.test',
      target: id,
      detail: { name: destination.name },
    });
    await tx.execute(sql`select pg_notify('assay_deliveries', '')`);
    return { id: delivery.id };
  });
}
