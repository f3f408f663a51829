export { alertFacts, type AlertFacts, alertKinds } from './alert-facts';
export {
  AcknowledgeIn,
  AcknowledgeReason,
  AlertHistoryIn,
  AlertKindIn,
  PutAlertRuleIn,
  ResetAlertRuleIn,
  alertTimes,
} from './alert-input';
