export type { ConfigField } from './config-field';
export { integrity, integritySubject, type IntegritySubject, withSourcesRead } from './integrity';
export type { Kind, PlanNode, VerdictDecision, Walk } from './kind';
export { type AnySubjectKind, ruleVerifiers, storedKindOf, subjectKinds, type TurnKind, turnKinds } from './registry';
export { walkPlan } from './walk';
export { planSpending, strategies } from './spending';
export type {
  CodeSettings,
  EarlierVerdict,
  JudgedDecision,
  NamedVerification,
  NotJudged,
  PipelineFacts,
  RunSetting,
  SelfJudging,
} from './subject-kind';
