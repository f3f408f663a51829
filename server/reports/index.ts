export { deleteReportSchedule } from './delete-schedule';
export { getReport, getReportMarkdown } from './get-report';
export { listReports, type ReportHead } from './list-reports';
export { listReportSchedules, previewTiming } from './list-schedules';
export { makeReport } from './make-report';
export { putReportSchedule } from './put-schedule';
export { reportKind } from './report-job';
export { reportScheduleKind, scheduledReports } from './report-schedules';
export { createReportStep } from './report-step';
