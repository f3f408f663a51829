export { anchorKind } from './anchors/anchor-job';
export { anchorScheduleKind, anchorSchedules } from './anchors/anchor-schedules';
export { createAnchorStep } from './anchors/anchor-step';
export { deleteAnchored } from './anchors/delete-anchored';
export { freezeAnchors } from './anchors/freeze-anchors';
export { listAnchorSets } from './anchors/list-anchor-sets';
export { planAnchors } from './anchors/plan-anchors';
export { retireAnchors } from './anchors/retire-anchors';
export { runAnchors } from './anchors/run-anchors';
export { runChangedAnchors } from './anchors/run-changed';
export {
  type ComparedRun,
  compareExperiments,
  type Comparison,
} from './compare/compare-experiments';
export { type ComparedItem, type ComparedItems, listComparedItems } from './compare/compare-items';
export type { ExperimentHead } from './compare/experiment-head';
export { gateExperiment } from './compare/gate-experiment';
export { type ExperimentResult, getExperiment } from './compare/get-experiment';
export { listExperiments } from './compare/list-experiments';
export { type ExperimentRowResult, listExperimentRows } from './compare/list-rows';
export { summarizeExperiments } from './compare/summarize-experiments';
export { getProbe } from './probes/get-probe';
export { listProbes } from './probes/list-probes';
export { planProbe } from './probes/plan-probe';
export { probeKind } from './probes/probe-job';
export { createProbeStep } from './probes/probe-step';
export { startProbe } from './probes/start-probe';
export { approvePromotion } from './promotion/approve-promotion';
export { changeSettings } from './promotion/change-settings';
export { checkJudge, checkPrompt } from './promotion/check-promotion';
export type { GateFindings, GatePart } from './promotion/gate-findings';
export { listPromotions } from './promotion/list-promotions';
export { promotePrompt } from './promotion/promote-prompt';
export { rollBackPromotion } from './promotion/roll-back-promotion';
export { withdrawPromotion } from './promotion/withdraw-promotion';
export { turnsOfExperiment } from './runs/turns-of-experiment';
export { listFlips } from './simulate/list-flips';
export { listThresholdChanges } from './simulate/list-threshold-changes';
export { simulateThreshold } from './simulate/simulate-threshold';
export type { ThresholdCandidate, Flip, Simulation } from './simulate/simulation';
export { getTrial, listTrials, type Trial } from './trials/get-trial';
export { planTrial, type TrialPlan } from './trials/plan-trial';
export { startTrial } from './trials/start-trial';
export type { TrialSide } from './trials/sum-trial';
export { trialKind } from './trials/trial-job';
export { createTrialStep } from './trials/trial-step';
export {
  createDraftStep,
  defineVerifier,
  draftKind,
  hasProgram,
  programCheckMs,
  pruneDrafts,
  requireSoundProgram,
  startDraft,
  takeDraft,
} from './drafts/draft-job';
export { getDraftTry, startDraftTry } from './drafts/draft-try';
export { answerInPlayground } from './playground/answer';
export { getPlaygroundTurn } from './playground/get-turn';
export { verifyOutput } from './playground/verify-output';
export { createExperimentStep } from './runs/run-step';
export { experimentKind } from './runs/run-job';
export { cancelExperiment } from './runs/end-experiment';
export { budgetOfRun } from './runs/run-budget';
export { resumeExperiment } from './runs/resume-experiment';
export { finishOutputs, sendOutputs } from './runs/send-outputs';
export { startExperiment, type StartedExperiment } from './runs/start-experiment';
export { addItemsFromTurns } from './datasets/add-from-turns';
export { addItems } from './datasets/add-items';
export type { ChangedItems } from './datasets/change-items';
export { deleteDataset } from './datasets/delete-dataset';
export { diffDataset } from './datasets/diff-versions';
export { editItem } from './datasets/edit-item';
export { findTurnLinks } from './datasets/find-turn-links';
export { getDatasetItem } from './datasets/get-item';
export type { ItemContent } from './datasets/item';
export { listDatasetItems } from './datasets/list-items';
export { type Dataset, getDataset, listDatasets } from './datasets/list-datasets';
export { type DatasetVersion, listDatasetVersions } from './datasets/list-versions';
export { countDuplicates } from './datasets/count-duplicates';
export { putDataset } from './datasets/put-dataset';
export { removeItems } from './datasets/remove-items';
export type { StoredItem } from './datasets/stored-item';
