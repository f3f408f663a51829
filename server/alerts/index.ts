/** @internal For tests of other modules. */
export type { AlertKind } from './alert-facts';
export { acknowledgeFinding } from './acknowledge-finding';
export { acknowledgeNotice } from './acknowledge-notice';
export type { Finding } from './alert';
export { listChanges } from './changes/list-changes';
export { listMarks } from './changes/list-marks';
export { listAlertEvents } from './list-alert-events';
export { listAlertRules } from './list-alert-rules';
export { countAlerting, listAlerts } from './list-alerts';
export { listFalls } from './list-falls';
export { listFindings } from './list-findings';
export { putAlertRule, resetAlertRule } from './put-alert-rule';
export { checkAlertsNow, watchAlerts } from './watch';
