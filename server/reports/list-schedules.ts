import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { checkTiming, nextPeriod } from '../queue';
import { reportLimits } from './reports-input';

export interface ReportSchedule {
  readonly id: string;
  readonly name: string;
  /** Five cron fields, and an IANA time zone. */
  readonly cron: string;
  readonly zone: string;
  /** Length of a report's period in whole UTC days, ending before the day of the scheduled time. */
  readonly days: number;
  readonly enabled: boolean;
  readonly sent: boolean;
  /** The next three times; empty if the schedule is disabled. */
  readonly next: readonly Date[];
  readonly createdBy: string;
  readonly createdAt: Date;
}

interface Row {
  id: string;
  name: string;
  cron: string;
  zone: string;
  days: number;
  enabled: boolean;
  sent: boolean;
  created_by: string;
  created_at: string;
}

export interface ReportSchedules {
  readonly schedules: readonly ReportSchedule[];
  /**
   * Number of enabled destinations that accept reports; with 0, reports appear only in the console.
   */
  readonly takers: number;
}

/** In the order of their creation. */
export async function listReportSchedules({
  sql,
  projectId,
  clock,
}: ProjectCtx): Promise<ReportSchedules> {
  const [rows, [counted]] = await Promise.all([
    sql<Row[]>`
      select id, name, cron, zone, days, enabled, sent, created_by, created_at from report_schedules
      where project_id = ${projectId} order by created_at, id limit ${reportLimits.schedules}`,
    sql<{ takers: number }[]>`
      select count(*)::int as takers from destinations where project_id = ${projectId} and enabled and 'reports' = any(sends)`,
  ]);
  const now = clock.now();
  return { schedules: rows.map((row) => asSchedule(row, now)), takers: counted?.takers ?? 0 };
}

/** @throws AssayError not_found */
export async function getReportSchedule(ctx: ProjectCtx, id: string): Promise<ReportSchedule> {
  const schedule = (await listReportSchedules(ctx)).schedules.find((each) => each.id === id);
  if (schedule === undefined) throw notFound('report schedule');
  return schedule;
}

/** The next times of a schedule. @throws AssayError refused, naming `cron` or `zone` */
export function previewTiming(
  { clock }: Pick<ProjectCtx, 'clock'>,
  timing: { readonly cron: string; readonly zone: string },
): Date[] {
  checkTiming(timing);
  return nextOf(timing, clock.now());
}

function nextOf(timing: { readonly cron: string; readonly zone: string }, after: Date): Date[] {
  const moments: Date[] = [];
  for (
    let at = nextPeriod(timing, after);
    at !== null && moments.length < reportLimits.nextShown;
    at = nextPeriod(timing, at)
  ) {
    moments.push(at);
  }
  return moments;
}

function asSchedule(
  { created_by: createdBy, created_at: createdAt, ...row }: Row,
  now: Date,
): ReportSchedule {
  return {
    ...row,
    next: row.enabled ? nextOf(row, now) : [],
    createdBy,
    createdAt: new Date(createdAt),
  };
}
