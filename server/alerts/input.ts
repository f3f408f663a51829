export { alertFacts, type AlertFacts } from './alert-facts';
export { AlertHistoryIn, PutAlertRuleIn, ResetAlertRuleIn, alertTimes } from './alert-input';
export { alertKinds } from './alert';
