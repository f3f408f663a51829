import { z } from '@hono/zod-openapi';
import { getReport, getReportMarkdown, listReports, type ReportHead } from '../../reports';
import { Report } from '../../reports/input';
import type { Route } from './route';
import { parse } from './request-input';

const ReportsQuery = z.object({
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const Head = {
  id: z.string(),
  /** Null if a person requested it. */
  schedule_id: z.string().nullable(),
  title: z.string(),
  /** Whole UTC days, `to` exclusive. */
  from: z.string(),
  to: z.string(),
  state: z.enum(['waiting', 'being_made', 'made', 'failed', 'cancelled']),
  reason: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  made_at: z.string().nullable(),
};
const HeadReply = z.object(Head).openapi('ReportHead');
const ReportReply = z
  .object({
    ...Head,
    /** Null until it is finished. */
    content: Report.nullable(),
  })
  .openapi('Report');

const PathId = z.object({ id: z.string() });

export const reportRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/reports',
    scope: 'read',
    summary: 'List reports without their contents, newest first',
    query: ReportsQuery,
    answers: {
      200: z
        .object({ data: z.array(HeadReply), next_cursor: z.string().nullable() })
        .openapi('Reports'),
    },
    handle: async (c, project) => {
      const page = await listReports(project, parse(ReportsQuery, c.req.query(), 'query'));
      return c.json({ data: page.items.map(headReply), next_cursor: page.nextCursor });
    },
  },
  // Before the next route, whose parameter would match the ending too.
  {
    method: 'get',
    path: '/v1/reports/{id}.md',
    pattern: '/v1/reports/:id{.+\\.md}',
    scope: 'read',
    summary: 'The same report as Markdown (text/markdown); 409 until it is complete',
    params: PathId,
    answers: { 200: null },
    handle: async (c, project) => {
      const name = c.req.param('id') ?? '';
      const text = await getReportMarkdown(project, name.slice(0, -ending.length));
      return c.body(text, 200, {
        'content-type': 'text/markdown; charset=utf-8',
        'content-disposition': 'attachment; filename="report.md"',
      });
    },
  },
  {
    method: 'get',
    path: '/v1/reports/{id}',
    scope: 'read',
    summary: 'One report as it was created; later data do not change it',
    params: PathId,
    answers: { 200: ReportReply },
    handle: async (c, project) => {
      const report = await getReport(project, c.req.param('id') ?? '');
      return c.json({ ...headReply(report), content: report.content });
    },
  },
];

const ending = '.md';

function headReply(report: ReportHead): z.infer<typeof HeadReply> {
  return {
    id: report.id,
    schedule_id: report.scheduleId,
    title: report.title,
    from: report.from.toISOString(),
    to: report.to.toISOString(),
    state: report.state,
    reason: report.reason,
    created_by: report.createdBy,
    created_at: report.createdAt.toISOString(),
    made_at: report.madeAt?.toISOString() ?? null,
  };
}
