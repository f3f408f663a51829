export { samplePosition as bucketOf, type Rule } from './match';
export { admitWork } from './admit';
export { backfillKind, backfillRule, createBackfillStep } from './backfill';
export { type Decision, listDecisions } from './list-decisions';
export { getRule, listRules, type RuleSummary } from './list-rules';
export { readCoverage } from './read-coverage';
export { deleteRule, putRule, setRuleEnabled } from './put-rule';
export { findSendingRule, loadRuleSources, type SourcesOfWork } from './sources';
export { createRuleBook, type RuleBook } from './rule-book';
export { endConversation, planConversation } from './end-conversation';
export { planIdle } from './plan-idle';
export { type CostBudget, openCostBudget } from './cost-budget';
export {
  type Candidate,
  listCandidateIds,
  listCandidates,
  type WantedCandidates,
} from './candidates';
export { planVerifications } from './plan-verifications';
export { draftRule } from './put-rule';
