import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { notFound } from '../platform';

/** Deletes a schedule and keeps its reports. @throws AssayError not_found */
export async function deleteReportSchedule(
  ctx: ProjectCtx,
  { id }: { readonly id: string },
): Promise<void> {
  const { projectId } = ctx;
  const { reportSchedules } = schema;
  await ctx.db.transaction(async (tx) => {
    const deleted = await tx
      .delete(reportSchedules)
      .where(and(eq(reportSchedules.projectId, projectId), eq(reportSchedules.id, id)))
      .returning({ name: reportSchedules.name });
    if (deleted[0] === undefined) throw notFound('report schedule');
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'reports.unschedule',
      target: id,
      detail: { name: deleted[0].name },
    });
  });
}
