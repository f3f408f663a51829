import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { type Database, newId } from '../platform';
import { storeJob } from '../queue';
import { type ReportJob, reportKind } from './report-job';

export interface StartReport {
  /** Null if a person requested it. */
  readonly scheduleId: string | null;
  readonly title: string;
  /** Whole UTC days, `to` exclusive. */
  readonly from: Date;
  readonly to: Date;
  readonly sent: boolean;
}

/** Stores a pending report and its job in `tx`, for a worker to make. Returns its id. */
export async function startReport(
  ctx: ProjectCtx,
  tx: Database,
  report: StartReport,
): Promise<string> {
  const { projectId } = ctx;
  const { scheduleId, title, from, to, sent } = report;
  const id = newId('job', ctx.clock.now());
  const input: ReportJob = { sent };
  await storeJob(ctx, tx, { id, kind: reportKind, input });
  await tx
    .insert(schema.reports)
    .values({ projectId, id, scheduleId, title, from, to, createdBy: ctx.actor.label });
  await recordAudit(ctx, tx, ctx.actor, {
    projectId,
    action: 'reports.start',
    target: id,
    detail: { title, from: from.toISOString(), to: to.toISOString(), schedule: scheduleId, sent },
  });
  return id;
}
