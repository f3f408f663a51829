/** @internal For tests of other modules. */
export type { AlertKind } from './alert-facts';
export { listChanges } from './changes/list-changes';
export { listMarks } from './changes/list-marks';
export { listAlertEvents } from './list-alert-events';
export { listAlertRules } from './list-alert-rules';
export { countAlerting, listAlerts } from './list-alerts';
export { putAlertRule, resetAlertRule } from './put-alert-rule';
export { checkAlertsNow, watchAlerts } from './watch';
