export { awaitVerdict, settledWithin } from './await-verdict';
export {
  type FullVerdict,
  getVerdict,
  getVerdictPage,
  loadVerdicts,
  type VerdictPageData,
} from './get';
export type { PendingVerdict } from './pending';
export { findVerdictTurns, hasLabel, listFilterValues, listVerdicts } from './list';
export { findMission, getMission } from './missions/get-mission';
export {
  listMissionJudges,
  loadMissionSettings,
  type MissionSettings,
  putMissionSettings,
} from './missions/mission-settings';
export { listPending } from './list-pending';
export { createLiveVerdicts, type LiveVerdicts } from './live';
export { readSpreads } from './read-spread';
/** @internal For tests of other modules. */
export { readSpread } from './read-spread';
export { bucketOf, type Spread, spreadOf, spreadOffset, spreadRatio } from './spreads';
export {
  countingRulings,
  effectiveRuling,
  isContested,
  loadCountedRulings,
  loadRulings,
  type Ruling,
} from './rulings';
export {
  getIntegrityState,
  type IntegrityState,
  listProjectIntegrity,
  loadMasking,
  requireVerifier,
  updateSettingsIn,
} from './settings';
/** @internal For tests of other modules. */
export { updateSettings } from './settings';
export { type Settlement, storeVerdicts, unjudged } from './settle';
export { summariseProject } from './summarise';
export { loadJudging } from './subjects/judging';
export { askWithin } from './subjects/ask-within-budget';
export { whyNotOnTurns } from './subjects/verify-undelivered';
export { followCosts } from './subjects/follow-costs';
export { verifySubjectNow } from './subjects/verify-subject-now';
export {
  awaitUndelivered,
  type StartedVerification,
  startUndelivered,
  type UndeliveredTurn,
  type UndeliveredVerdict,
} from './subjects/verify-undelivered';
export type { StoredExample, SubjectDeps, WantedExamples } from './subjects/subject-deps';
export { deleteCachedJudgements, pruneCachedJudgements } from './subjects/cached-judgements';
export { estimateSubjects, type SubjectEstimate } from './trials/estimate-subjects';
export { judgeAgain, type JudgedAgain } from './trials/judge-again';
export {
  type ChangedEstimate,
  estimateCanaries,
  estimateChanged,
  measureJudged,
} from './trials/estimate-changed';
export { type Change, judgeCanary, judgeChanged, type JudgedChanged } from './trials/judge-changed';
export { type TryResult, type TriedVerdict, trySubject } from './trials/try-subject';
export { listModelDays } from './models/list-model-days';
export { listModelPerformance, type ModelPerformance } from './models/list-model-performance';
export { listModels } from './models/list-models';
export { listModelScores } from './models/list-model-scores';
export { readVerdictHistory } from './charts/read-history';
export { readJudgingCosts } from './charts/read-judging-costs';
export { readScores } from './charts/read-scores';
export { getPipeline } from './pipelines/get-pipeline';
export { listPipelines } from './pipelines/list-pipelines';
export { summariseCheckpoints } from './pipelines/summarise-checkpoints';
export { findVerdictSubject, type VerdictSubject } from './verifiers/find-verdict-subject';
export { getJudging } from './verifiers/get-judging';
export { getVerifier, listVerifiers } from './verifiers/get-verifier';
export { type DraftVerdict, findDraftFaults, tryDraft } from './trials/try-draft';
export { customContent } from './verifiers/custom-subject';
export { getSetup } from './setup/get-setup';
/** @internal For tests of other modules. */
export type { SetupState } from './setup/get-setup';
export { hideSetup } from './setup/hide-setup';
export { partColumn, populationPart } from './populations';
export {
  clusterColumn,
  type ClusterColumns,
  readPassWeights,
  sumsOfClusters,
  weightOfSums,
} from './session-weights';
export { findAnywhere } from './search/find-anywhere';
export { verifyNow } from './verify-now';
export { verificationReply } from './wire';
export { workServices } from './serve-work';
export { settleOverBudget, workInPool, workOf } from './work-in-pool';
/** @internal For tests of other modules. */
export { verifyClaimed } from './verify';
export { workThrough } from './work-through';
export { createRecentRuns, type RunsFor } from './subjects/recent-runs';
export { createJoinedStore } from './store-verdicts-bisecting';
export { deleteSubjects, deleteVerdicts, subjectKindsOf } from './delete-verdicts';
export { previewRule, type RulePreview } from './rule-subjects/preview-rule';
