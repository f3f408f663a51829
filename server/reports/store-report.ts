import { sql } from 'drizzle-orm';
import { type ProjectCtx, recordAudit } from '../access';
import { storeNotice } from '../deliveries';
import { storableJson } from '../domain';
import type { Database } from '../platform';
import { differencesOf } from './differences';
import { Report } from './report-content';
import type { ReportJob } from './report-job';
import { reportMarkdown } from './report-markdown';
import { periodText, summarySentences } from './report-words';

export interface ReportToMake {
  readonly id: string;
  readonly title: string;
  readonly from: Date;
  readonly to: Date;
}

type Content = Omit<Report, 'made_at' | 'is_over' | 'earlier' | 'differences'>;

/** Maximum number of listed earlier reports of the same period. */
const earlierMax = 20;

/**
 * Stores the content of a report once: a second call finds it and does nothing. Does not store a
 * report whose job was cancelled. If the report is to be sent, enqueues it in the same transaction
 * for the destinations that accept reports.
 */
export async function storeReport(
  ctx: ProjectCtx,
  report: ReportToMake,
  { sent }: ReportJob,
  content: Content,
): Promise<void> {
  const { projectId } = ctx;
  await ctx.db.transaction(async (tx) => {
    // Serialises reports of one period: the later one must list the earlier one.
    await tx.execute(sql`
      select pg_advisory_xact_lock(hashtextextended(${`report of ${projectId} ${content.from} ${content.to}`}, 0))`);
    const [clock] = await tx.execute<{ now: string }>(sql`select clock_timestamp() as now`);
    const madeAt = new Date(String(clock?.now));
    const earlier = await listEarlier(ctx, tx, report);
    const storedReport: Report = {
      ...content,
      made_at: madeAt.toISOString(),
      is_over: madeAt >= report.to,
      earlier: earlier.map(({ id, madeAt: at }) => ({ id, made_at: at.toISOString() })),
      differences: earlier[0]?.content == null ? [] : differencesOf(earlier[0].content, content),
    };
    const stored = await tx.execute(sql`
      update reports r set content = ${storableJson(storedReport)}::text::jsonb, made_at = ${storedReport.made_at}::timestamptz
      where project_id = ${projectId} and id = ${report.id} and made_at is null
        and not exists (select from jobs j where j.project_id = r.project_id and j.id = r.id and j.state = 'cancelled') returning id`);
    if (stored.length === 0) return;
    const noticeId = sent ? await storeNotice(ctx, tx, noticeOf(ctx, report, storedReport)) : null;
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'reports.make',
      target: report.id,
      detail: {
        title: report.title,
        from: storedReport.from,
        to: storedReport.to,
        notice: noticeId,
      },
    });
  });
}

function noticeOf(
  ctx: ProjectCtx,
  { id, title }: ReportToMake,
  report: Report,
): Parameters<typeof storeNotice>[2] {
  const url = `${ctx.env.webUrl}/p/${ctx.projectSlug}/reports/${id}`;
  return {
    kind: 'report',
    refId: id,
    severity: 'low',
    subject: `${title}: ${periodText(report)}`,
    text: reportMarkdown(title, report),
    data: {
      report_id: id,
      title,
      from: report.from,
      to: report.to,
      made_at: report.made_at,
      url,
      summary: summarySentences(report),
    },
  };
}

/**
 * Earlier reports of the same period, newest first, with their content if this release can read it.
 */
async function listEarlier(
  { projectId }: ProjectCtx,
  tx: Database,
  { id, from, to }: ReportToMake,
): Promise<{ readonly id: string; readonly madeAt: Date; readonly content: Report | null }[]> {
  const rows = await tx.execute<{ id: string; made_at: string; content: unknown }>(sql`
    select id, made_at, case when row_number() over (order by made_at desc, id desc) = 1 then content end as content from reports
    where project_id = ${projectId} and id <> ${id} and made_at is not null and "from" = ${from.toISOString()}::timestamptz
      and "to" = ${to.toISOString()}::timestamptz
    order by made_at desc, id desc limit ${earlierMax}`);
  return [...rows].map((row) => {
    const content = Report.safeParse(row.content);
    return {
      id: row.id,
      madeAt: new Date(row.made_at),
      content: content.success ? content.data : null,
    };
  });
}
