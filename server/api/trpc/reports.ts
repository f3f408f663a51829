import { ProjectRef } from '../../access/input';
import {
  deleteReportSchedule,
  getReport,
  getReportMarkdown,
  listReports,
  listReportSchedules,
  makeReport,
  previewTiming,
  putReportSchedule,
} from '../../reports';
import {
  GetReportIn,
  ListReportsIn,
  MakeReportIn,
  PreviewScheduleIn,
  PutReportScheduleIn,
  ReportScheduleIn,
} from '../../reports/input';
import { projectProcedure, router } from './builders';

export const reportsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListReportsIn)
    .query(({ ctx, input: { project: _project, ...page } }) => listReports(ctx.project, page)),
  get: projectProcedure('verdicts.read')
    .input(GetReportIn)
    .query(({ ctx, input: { id } }) => getReport(ctx.project, id)),
  markdown: projectProcedure('verdicts.read')
    .input(GetReportIn)
    .query(({ ctx, input: { id } }) => getReportMarkdown(ctx.project, id)),
  make: projectProcedure('settings.write')
    .input(MakeReportIn)
    .mutation(({ ctx, input: { project: _project, ...wanted } }) =>
      makeReport(ctx.project, wanted),
    ),
  schedules: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listReportSchedules(ctx.project)),
  preview: projectProcedure('verdicts.read')
    .input(PreviewScheduleIn)
    .query(({ ctx, input: { cron, zone } }) => ({
      next: previewTiming(ctx.project, { cron, zone }),
    })),
  putSchedule: projectProcedure('settings.write')
    .input(PutReportScheduleIn)
    .mutation(({ ctx, input: { project: _project, ...schedule } }) =>
      putReportSchedule(ctx.project, schedule),
    ),
  deleteSchedule: projectProcedure('settings.write')
    .input(ReportScheduleIn)
    .mutation(({ ctx, input: { id } }) => deleteReportSchedule(ctx.project, { id })),
});
