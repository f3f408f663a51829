export { awaitVerdict, settledWithin } from './await-verdict';
export {
  type FullVerdict,
  getVerdict,
  getVerdictPage,
  loadVerdicts,
  type VerdictPageData,
} from './get';
export type { PendingVerdict } from './pending';
export { listFilterValues, listVerdicts, type VerdictPage } from './list';
export { findMission, getMission } from './missions/get-mission';
export {
  listMissionJudges,
  loadMissionSettings,
  type MissionSettings,
  putMissionSettings,
} from './missions/mission-settings';
export { listPending } from './list-pending';
export { createLiveVerdicts, type LiveVerdicts } from './live';
export type { VerdictRow } from './rows';
export { readSpread, readSpreads, type SpreadWanted } from './read-spread';
export { bucketOf, type Spread, spreadOf, spreadOffset, spreadRatio } from './spreads';
export { countingRulings, effectiveRuling, isContested, loadRulings, type Ruling } from './rulings';
export {
  getIntegrityState,
  type IntegrityState,
  listProjectIntegrity,
  type ProjectIntegrity,
  requireVerifier,
  updateSettings,
  updateSettingsIn,
} from './settings';
export { type Judging, type Settlement, settleVerdicts, unjudged } from './settle';
export {
  type ModelSummary,
  type OutcomeCounts,
  type Overview,
  summariseProject,
} from './summarise';
export { loadJudging, type ProjectJudging } from './subjects/judging';
export { type SubjectCall, verifySubjectNow } from './subjects/verify-subject-now';
export { judgeSubject, type JudgeSubject, type SubjectDeps } from './subjects/verify-subjects';
export { deleteKept, pruneKept } from './subjects/kept-judgements';
export type { SubjectKinds } from './subjects/subject-kinds';
export { estimateSubjects, type SubjectEstimate } from './trials/estimate-subjects';
export { judgeAgain, type JudgedAgain } from './trials/judge-again';
export {
  type ChangedEstimate,
  estimateCanaries,
  estimateChanged,
  measureJudged,
} from './trials/estimate-changed';
export { type Change, judgeCanary, judgeChanged, type JudgedChanged } from './trials/judge-changed';
export { type Tried, type TriedVerdict, trySubject } from './trials/try-subject';
export { listModelDays } from './models/list-model-days';
export { listModelPerformance, type ModelPerformance } from './models/list-model-performance';
export { listModels } from './models/list-models';
export { listModelScores } from './models/list-model-scores';
export { readHistory } from './charts/read-history';
export { type JudgingCost, readJudgingCosts } from './charts/read-judging-costs';
export { readScores } from './charts/read-scores';
export {
  type ConfigFieldState,
  type ConfigState,
  type ConfigVersion,
  getConfig,
} from './verifiers/get-config';
export { putConfig } from './verifiers/put-config';
export { lockVersions } from './verifiers/config-versions';
export { getPipeline, type PipelineData, type ReportedOutcome } from './pipelines/get-pipeline';
export { listPipelines, type PipelinePage } from './pipelines/list-pipelines';
export { type CheckpointsSummary, summariseCheckpoints } from './pipelines/summarise-checkpoints';
export type { CodeGate, CodeView } from './verifiers/code-view';
export {
  findVerdictSubject,
  type SubjectProgress,
  type VerdictSubject,
} from './verifiers/find-verdict-subject';
export { getJudging, type JudgingState } from './verifiers/get-judging';
export {
  getVerifier,
  listVerifiers,
  type VerifierPageData,
  type VerifierState,
} from './verifiers/get-verifier';
export type { PlanShape, PlanStep } from './verifiers/plan-shape';
export type { SubjectContentView, SubjectCriterion } from './verifiers/subject-content';
export type { SubjectDetailView } from './verifiers/subject-detail';
export type { CostSum } from './verifiers/sum-costs';
export { getSetup, type SetupState } from './setup/get-setup';
export { hideSetup } from './setup/hide-setup';
export { partColumn, populationPart } from './populations';
export {
  clusterColumn,
  readPassWorth,
  sumsOfClusters,
  worthOfSums,
} from './session-worth';
export { findAnywhere, type Found } from './search/find-anywhere';
export type { Hit, HitKind } from './search/hit';
export { verifyNow } from './verify-now';
export { verificationReply } from './wire';
export { workServices } from './serve-work';
export { settleOverBudget, workInPool, workOf } from './work-in-pool';
export { workThrough } from './work-through';
export {
  type DeletedVerdict,
  deleteSubjects,
  deleteVerdicts,
  storedSubjectKinds,
} from './delete-verdicts';
