import { sql as drizzleSql } from 'drizzle-orm';
import type { Schedule, ScheduleKind } from '../queue';
import { startReport } from './start-report';

/** The prefix before the colon in the names of these schedules. */
export const reportScheduleKind = 'report';
const before = `${reportScheduleKind}:`;
const dayMs = 86_400_000;

interface Row {
  project_id: string;
  slug: string;
  id: string;
  cron: string;
  zone: string;
  updated_at: string;
}

/** The whole UTC days before the day of a time, whose daily counts are complete by then. */
function daysBefore(moment: Date, days: number): { readonly from: Date; readonly to: Date } {
  const to = Math.floor(moment.getTime() / dayMs) * dayMs;
  return { from: new Date(to - days * dayMs), to: new Date(to) };
}

/**
 * Scheduled reports. After several missed periods only the latest is made, with its own
 * days. Periods before the timing was set do not count: a schedule that was disabled has no missed
 * periods.
 */
export const scheduledReports: ScheduleKind = {
  catchUp: 'latest',
  async list({ sql }) {
    const rows = await sql<Row[]>`
      select s.project_id, p.slug, s.id, s.cron, s.zone, s.updated_at from report_schedules s join projects p on p.id = s.project_id
      where s.enabled`;
    return rows.map(
      (row): Schedule => ({
        projectId: row.project_id,
        projectSlug: row.slug,
        name: before + row.id,
        cron: row.cron,
        zone: row.zone,
        since: new Date(row.updated_at),
      }),
    );
  },
  async start(project, tx, { name }, period) {
    const id = name.slice(before.length);
    const [row] = await tx.execute<{ name: string; days: number; sent: boolean }>(drizzleSql`
      select name, days, sent from report_schedules where project_id = ${project.projectId} and id = ${id} and enabled for share`);
    // The schedule was deleted or disabled since it was listed.
    if (row === undefined) return null;
    return startReport(project, tx, {
      scheduleId: id,
      title: row.name,
      ...daysBefore(period, row.days),
      sent: row.sent,
    });
  },
};
