import type { ProjectCtx } from '../access';
import { conflict, notFound } from '../platform';
import { asHead, type ReportHead, reportColumns, type ReportRow } from './list-reports';
import { Report } from './report-content';
import { reportMarkdown } from './report-markdown';

export interface StoredReport extends ReportHead {
  /**
   * Null until the report is created, and if another release created it in a form that this one
   * cannot read.
   */
  readonly content: Report | null;
}

/** @throws AssayError not_found */
export async function getReport(ctx: ProjectCtx, id: string): Promise<StoredReport> {
  const { sql, projectId } = ctx;
  const [row] = await sql<(ReportRow & { content: unknown })[]>`
    select ${reportColumns(ctx)}, r.content from reports r left join jobs j on j.project_id = ${projectId} and j.id = r.id
    where r.project_id = ${projectId} and r.id = ${id}`;
  if (row === undefined) throw notFound('report');
  const content = Report.safeParse(row.content);
  return { ...asHead(row), content: content.success ? content.data : null };
}

/**
 * The report as Markdown.
 * @throws AssayError not_found, conflict (not created yet, or created by a release that this one
 *   cannot read)
 */
export async function getReportMarkdown(ctx: ProjectCtx, id: string): Promise<string> {
  const { title, content, state } = await getReport(ctx, id);
  if (content !== null) return reportMarkdown(title, content);
  throw conflict(
    state === 'made'
      ? 'another release created this report, and this one cannot read it; create it again'
      : 'this report is not ready yet; try again later',
  );
}
