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
export type { PlanNode, Walk } from './plan-node';
export type { Canary, PlacedScore } from './perturbing';
export {
  type AnyKind,
  builtIn,
  type Kinds,
  kinds,
  readSubject,
  builtInStoredKind,
  storedKinds,
  subjectMembersOf,
} from './registry';
export { listNativeVerdicts, readNativeVerdict } from './native-verdicts';
export { showSubject, type SubjectPages } from './pages';
export { type SubjectDetailView, viewDetail } from './subject-detail';
export { decidingKey, type Rederive, type Rederived } from './rederive';
export * from './custom';
export { undecidedOverBudget } from './over-budget';
export { walkPlan } from './walk';
export { planSpending, strategies } from './spending';
export type {
  JudgeCost,
  EarlierVerdict,
  FigureCounts,
  JudgedDecision,
  LabelledExample,
  NamedJudges,
  NamedVerification,
  NotJudged,
  PipelineFacts,
  RunSetting,
  SelfJudging,
  SandboxUse,
} from './kind';
export * from './subjects';
/** @internal For tests of other modules. */
export { judgeKind } from './judge';
