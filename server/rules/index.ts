export { bucketOf } from './match';
export { admitWork } from './admit';
export { backfillKind, backfillRule, createBackfillStep } from './backfill';
export { type Decision, listDecisions } from './list-decisions';
export { getRule, listRules, type RuleSummary } from './list-rules';
export { deleteRule, putRule, setRuleEnabled } from './put-rule';
export { findSendingRule, loadRuleSources, type SourcesOfWork } from './sources';
export { createRuleBook, type RuleBook } from './rule-book';
