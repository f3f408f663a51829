export { type OutcomesTaken, takeOutcomes } from './labels/take-outcomes';
export { listLabelsOf, type VerdictLabels } from './labels/labels-of-verdict';
export { overrideVerdict, type VerdictLabel } from './labels/override';
export { undoLabel } from './labels/undo';
export { type Judgement, type JudgementPage, listJudgements } from './measures/list-judgements';
export { measureVerifiers, type VerifierMeasures } from './measures/measure';
export { measureVerifier, periodStart, type VerifierDetail } from './measures/measure-verifier';
export type { Measure, Rates } from './measures/rates';
export { getTrial, listTrials, type Trial, type TrialHead, type TrialRow } from './trials/get-trial';
export { planTrial, type TrialPlan } from './trials/plan-trial';
export { startTrial } from './trials/start-trial';
export type { TrialSide } from './trials/sum-trial';
export { trialKind } from './trials/trial-job';
export { createTrialStep } from './trials/trial-step';
export {
  getDesk,
  getReviewContent,
  listPolicies,
  listReviewSettings,
  putPolicy,
  putReviewSettings,
  releaseItem,
  reserveItems,
  ruleItem,
  undoItem,
} from './review/desk';
export type { Desk, ItemRuled, OwnRuling, Policy, ReviewContent, ReviewItem, ReviewSeen, ReviewSettings } from './review/item';
export { reportVerifier } from './measures/report-verifier';
export type {
  CalibrationReport,
  Corrected,
  Correlation,
  Curves,
  Drift,
  Estimate,
  HumanCeiling,
  Reliability,
  SliceGroup,
  SweepPoint,
} from './measures/report';
export { freezeAnchors, listAnchorSets, retireAnchors, runAnchors } from './anchors/anchors';
export type { AnchorRun, AnchorSet } from './anchors/anchor';
