export { alertFacts, type AlertFacts, alertKinds } from './alert-facts';
export { AlertHistoryIn, PutAlertRuleIn, ResetAlertRuleIn, alertTimes } from './alert-input';
