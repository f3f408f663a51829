import { and, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { newId, notFound, refused } from '../platform';
import { checkTiming } from '../queue';
import { getReportSchedule, type ReportSchedule } from './list-schedules';
import { reportLimits } from './reports-input';

export interface PutReportSchedule {
  /** Omitted to create a schedule. */
  readonly id?: string | undefined;
  readonly name: string;
  /** Five cron fields. */
  readonly cron: string;
  /** IANA time zone. */
  readonly zone: string;
  readonly days: number;
  readonly enabled: boolean;
  readonly sent: boolean;
}

/**
 * Creates or changes a schedule. Periods that began before its timing changed, or before it was
 * enabled, are not run later. Storing the same values again changes nothing.
 * @throws AssayError not_found, refused (an invalid timing; too many schedules)
 */
export async function putReportSchedule(
  ctx: ProjectCtx,
  { id, ...wanted }: PutReportSchedule,
): Promise<ReportSchedule> {
  checkTiming(wanted);
  const { projectId } = ctx;
  const { reportSchedules } = schema;
  const stored = await ctx.db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`report schedules ${projectId}`}, 0))`,
    );
    const all = await tx
      .select()
      .from(reportSchedules)
      .where(eq(reportSchedules.projectId, projectId));
    const before = all.find((each) => (id === undefined ? isSame(each, wanted) : each.id === id));
    if (before !== undefined && isSame(before, wanted)) return before.id;
    const which = before?.id ?? newId('rps', ctx.clock.now());
    if (before === undefined) {
      if (id !== undefined) throw notFound('report schedule');
      if (all.length >= reportLimits.schedules)
        throw refused(
          `a project has at most ${reportLimits.schedules} report schedules; delete one first`,
        );
      await tx
        .insert(reportSchedules)
        .values({ projectId, id: which, ...wanted, createdBy: ctx.actor.label });
    } else {
      const isTiming =
        before.cron !== wanted.cron ||
        before.zone !== wanted.zone ||
        before.enabled !== wanted.enabled;
      await tx
        .update(reportSchedules)
        .set({ ...wanted, ...(isTiming && { updatedAt: sql`now()` }) })
        .where(and(eq(reportSchedules.projectId, projectId), eq(reportSchedules.id, which)));
    }
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'reports.schedule',
      target: which,
      detail: { ...wanted },
    });
    return which;
  });
  return getReportSchedule(ctx, stored);
}

type Settings = Omit<PutReportSchedule, 'id'>;

const isSame = (one: Settings, other: Settings): boolean =>
  one.name === other.name &&
  one.cron === other.cron &&
  one.zone === other.zone &&
  one.days === other.days &&
  one.enabled === other.enabled &&
  one.sent === other.sent;
