export {
  Report,
  type BeforeShare,
} from './report-content';
export {
  alertEventText,
  alertText,
  ceilingText,
  changeText,
  correlationText,
  costText,
  counted,
  countsText,
  decisionText,
  kappaText,
  measureText,
  methodText,
  moneyText,
  outsideText,
  periodText,
  reportedActionText,
  shareText,
  summarySentences,
  trustWords,
} from './report-words';
export {
  GetReportIn,
  ListReportsIn,
  MakeReportIn,
  PreviewScheduleIn,
  PutReportScheduleIn,
  ReportScheduleIn,
  reportLimits,
} from './reports-input';
