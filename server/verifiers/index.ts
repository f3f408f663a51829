export type { ConfigField } from './config-field';
export { integrity, integritySubject, type IntegritySubject, withSourcesRead } from './integrity';
export type { PlanNode, VerdictDecision, Walk } from './kind';
export type { Canary, PlacedScore } from './perturbing';
export {
  type AnySubjectKind,
  ruleTargets,
  subjectMembersOf,
  storedKindOf,
  subjectKinds,
  type TurnKind,
  turnKinds,
} from './registry';
export { decidingKey, type Rederive, type Rederived } from './rederive';
export { undecidedOverBudget } from './over-budget';
export { opinionEvaluator, type OpinionSetting, type TurnOpinion } from './turn-opinion';
export { walkPlan } from './walk';
export { planSpending, strategies } from './spending';
export type {
  Asked,
  EarlierVerdict,
  JudgedDecision,
  NamedVerification,
  NotJudged,
  PipelineFacts,
  RunSetting,
  SelfJudging,
} from './subject-kind';
export * from './subjects';
export { readSubject } from './readings';
