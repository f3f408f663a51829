import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import { refused } from '../platform';
import { getReport, type StoredReport } from './get-report';
import { startReport } from './start-report';

export interface MakeReport {
  /** The last UTC day of its period, `2026-11-22`. */
  readonly lastDay: string;
  readonly days: number;
  readonly sent: boolean;
}

const dayMs = 86_400_000;
/** Tolerance for a day that has started by the caller's clock but not yet by the database clock. */
const aheadMs = 5 * 60_000;

/**
 * Requests a report on demand, as a job, for `days` whole UTC days up to `lastDay`. Returns the
 * existing report if one of the same days, requested by a person, is in progress.
 * @throws AssayError refused (a day that has not started)
 */
export async function makeReport(
  ctx: ProjectCtx,
  { lastDay, days, sent }: MakeReport,
): Promise<StoredReport> {
  const { projectId } = ctx;
  const to = new Date(Date.parse(`${lastDay}T00:00:00Z`) + dayMs);
  const from = new Date(to.getTime() - days * dayMs);
  const id = await ctx.db.transaction(async (tx) => {
    const [clock] = await tx.execute<{ now: string }>(sql`select now() as now`);
    if (to.getTime() - dayMs > Date.parse(String(clock?.now)) + aheadMs) {
      throw refused('lastDay: must be today or earlier, in UTC', [
        { path: 'lastDay', message: 'must be today or earlier, in UTC' },
      ]);
    }
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`report by hand ${projectId}`}, 0))`,
    );
    const [going] = await tx.execute<{ id: string }>(sql`
      select r.id from reports r join jobs j on j.project_id = r.project_id and j.id = r.id and j.state in ('waiting', 'running')
      where r.project_id = ${projectId} and r.schedule_id is null and r.made_at is null and r."from" = ${from.toISOString()}::timestamptz
        and r."to" = ${to.toISOString()}::timestamptz and (j.input->>'sent')::boolean = ${sent} limit 1`);
    return going?.id ?? startReport(ctx, tx, { scheduleId: null, title: 'Report', from, to, sent });
  });
  return getReport(ctx, id);
}
