export {
  AnchorIn,
  AnchorsIn,
  FreezeAnchorsIn,
  PlanAnchorsIn,
  anchorLimits,
} from './anchors/anchor-input';
export {
  CompareBody,
  CompareIn,
  CompareItemsBody,
  CompareItemsIn,
  ExperimentFilters,
  ExperimentRowFilters,
  ExperimentRowsIn,
  ExperimentIn,
  ExperimentsIn,
  experimentStates,
  GateBody,
  gateCodes,
  rowStates,
  GateIn,
  SummariesIn,
} from './compare/compare-input';
export {
  AnswerIn,
  playgroundLimits,
  VerifyOutputIn,
} from './playground/playground-input';
export { Probe, ProbeIn, ProbesIn, StartProbeIn, probeLimits } from './probes/probe-input';
/** @internal For tests of other modules. */
export { ProbeBody } from './probes/probe-input';
export {
  ChangeSettingsIn,
  CheckJudgeIn,
  CheckPromptIn,
  GateWord,
  PromoteIn,
  PromotionIn,
  PromotionsIn,
} from './promotion/promotion-input';
export { FlipsIn, SimulateBody, SimulateIn, minForSuggestion } from './simulate/simulate-input';
export {
  StartTrialIn,
  TrialBody,
  TrialIn,
  TrialsIn,
} from './trials/trial-input';
export {
  DraftTryIn,
  type DraftSubjects,
  draftTryLimits,
  StartDraftTryIn,
} from './drafts/draft-input';
export {
  chatRoles,
  experimentLimits,
  OutputsBody,
  ResumeExperimentBody,
  SentOutput,
  ResumeExperimentIn,
  StartExperimentBody,
  StartExperimentIn,
} from './runs/run-input';
export {
  AddItemsIn,
  DatasetBody,
  DatasetIn,
  DatasetItemIn,
  DatasetItemsIn,
  datasetLimits,
  DatasetSlug,
  DiffDatasetIn,
  EditItemIn,
  FromTurnsBody,
  FromTurnsIn,
  heldOutSplit,
  ItemsMode,
  ListDatasetsIn,
  PutDatasetIn,
  RemoveItemsIn,
  WireItem,
} from './datasets/dataset-input';
