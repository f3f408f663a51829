export type { ConfigField } from './config-field';
export {
  decideFigures,
  IntegrityConfig,
  integritySubject,
  type IntegritySubject,
  opinionEvaluator,
  planFigures,
  withSourcesRead,
} from './integrity';
export type { PlanNode, VerdictDecision, Walk } from './plan-node';
export type { Canary, PlacedScore } from './perturbing';
export {
  type AnyKind,
  type Kinds,
  kinds,
  readsTurns,
  readSubject,
  ruleTargets,
  storedKindOf,
  storedKinds,
  subjectMembersOf,
} from './registry';
export { decidingKey, type Rederive, type Rederived } from './rederive';
export { undecidedOverBudget } from './over-budget';
export { walkPlan } from './walk';
export { planSpending, strategies } from './spending';
export type {
  Asked,
  EarlierVerdict,
  FigureCounts,
  JudgedDecision,
  NamedVerification,
  NotJudged,
  PipelineFacts,
  RunSetting,
  SelfJudging,
} from './kind';
export * from './subjects';
